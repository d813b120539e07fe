import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { routes } from '../../api';
import { clipboard, entryOf, json, renderApp, serve, to, whyOf } from '../../testing';
import { WhyPanel } from './why-panel';

const older = entryOf({ eventId: 'older', change: '500.00', balanceAfter: '500.00' });
const newer = entryOf({
  eventId: 'newer',
  type: 'WalletDebited',
  change: '-40.00',
  balanceAfter: '460.00',
  reason: 'Double payment',
});

test('reads a balance from its newest line down, and adds it up once all lines are there', async () => {
  serve({
    [to(routes.why, { userId: 'amara', currency: 'USD' })]: ({ path }) =>
      path.includes('before=9')
        ? json(whyOf({ balance: '460.00', entries: [older] }))
        : json(whyOf({ balance: '460.00', entries: [newer], before: 9 })),
  });
  const { user } = renderApp(
    <WhyPanel userId="amara" currency="USD" placeOf={(at) => `/then/${at}`} onClose={() => undefined} />,
  );
  const panel = await screen.findByRole('region', { name: 'Why 460.00 USD' });
  expect(within(panel).getByText('−40.00')).toBeTruthy();
  expect(within(panel).getByText('“Double payment”')).toBeTruthy();
  expect(within(panel).queryByText(/add up to this balance/)).toBeNull();

  await user.click(within(panel).getByRole('button', { name: 'Show older' }));
  expect(await within(panel).findByText('Two events of account-amara add up to this balance.')).toBeTruthy();
  expect(within(panel).getByText('chain verified')).toBeTruthy();
  const [link] = within(panel).getAllByRole('link', { name: 'The account then, after event 2' });
  expect(link?.getAttribute('href')).toBe('/then/2');
  await user.click(within(panel).getAllByText('Postings')[0]!);
  const copied = clipboard();
  await user.click(within(panel).getAllByRole('button', { name: 'Copy Event id' })[0]!);
  expect(copied.at(-1)).toBe('newer');
  const lines = within(panel).getAllByRole('listitem');
  expect(
    lines.map((line) => within(line).getByText(/^(Debited by hand|Funding confirmed)$/).textContent),
  ).toEqual(['Debited by hand', 'Funding confirmed']);
});

test('says so when the lines do not make the balance', async () => {
  serve({
    [to(routes.why, { userId: 'amara', currency: 'USD' })]: () =>
      json(whyOf({ balance: '501.00', chainVerified: false })),
  });
  renderApp(
    <WhyPanel userId="amara" currency="USD" placeOf={(at) => `/then/${at}`} onClose={() => undefined} />,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('do not add up');
  expect(screen.getByText('chain broken')).toBeTruthy();
});
