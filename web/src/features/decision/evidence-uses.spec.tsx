import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, problem, renderApp, requestOf, serve, to } from '../../testing';
import { EvidenceUses } from './evidence-uses';

const ofRequest = { userId: 'amara', requestId: requestOf().id };
const use = {
  requestId: 'R2'.padEnd(34, 'x'),
  userId: 'jonas',
  customer: 'Jonas Berg',
  amount: '250.00',
  currency: 'BTC',
  status: 'confirmed',
  createdAt: '2026-05-01T10:00:00.000Z',
};

function open(answer: () => Response) {
  serve({ [to(adminRoutes.evidenceUses, ofRequest)]: answer });
  return renderApp(<EvidenceUses request={requestOf()} />, { role: 'admin' });
}

test('warns of another customer who sent the same file, and leads to that request', async () => {
  open(() => json({ items: [use], hasMore: false }));
  const told = await screen.findByRole('region', { name: 'Used before' });
  expect(told.textContent).toContain('The same file was sent by another customer');
  expect(told.dataset['others']).toBe('true');
  const link = within(told).getByRole('link', { name: '250.00 USD by Jonas Berg' });
  expect(link.getAttribute('href')).toBe(`/fund-request-history/jonas?request=${use.requestId}`);
  expect(told.textContent).toContain('confirmed');
  expect(told.textContent).not.toContain('And more.');
});

test('says of a customer’s own that it was sent before, without a warning, and that there is more', async () => {
  open(() => json({ items: [{ ...use, userId: 'amara', customer: 'Amara Nwosu' }], hasMore: true }));
  const told = await screen.findByRole('region', { name: 'Used before' });
  expect(told.textContent).toContain('The same file was sent before');
  expect(told.dataset['others']).toBe('false');
  expect(told.textContent).toContain('And more.');
});

test('never takes a failure for a file that was not used', async () => {
  let isDown = true;
  const { user } = open(() =>
    isDown ? problem(503, 'unavailable', 'Later.') : json({ items: [use], hasMore: false }),
  );
  const retry = await screen.findByRole('button', { name: /Retry/ });
  isDown = false;
  await user.click(retry);
  expect(await screen.findByRole('region', { name: 'Used before' })).toBeTruthy();
});
