import { describe, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { routes } from '../../api';
import {
  accountOf,
  json,
  noSecondFactor,
  problem,
  renderApp,
  serve,
  sessionOf,
  to,
  withdrawableOf,
} from '../../testing';
import { FundForm } from '../funding';
import { MessageForm } from '../support';
import { TransferForm } from '../transfer';
import { WithdrawalForm } from '../withdrawal';

const noop = () => undefined;
const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const account = accountOf({
  walletAddresses: {
    ...accountOf().walletAddresses,
    USDT: { address, network: 'ethereum', next: null },
  },
});
const accepted = () => json({ requestId: 'r1', status: 'Pending', position: '7', message: 'ok' });
const unknown = () => problem(503, 'unknown_outcome', 'It is not known.');

function answering(withdrawal: () => Response = accepted) {
  return serve({
    [to(routes.secondFactor)]: () => json(noSecondFactor),
    [to(routes.prices)]: () => json({ prices: { BTC: '62410.00000000', PI: '1.0', USDT: '1.0' } }),
    [to(routes.withdrawable, { userId: 'amara' })]: () => json(withdrawableOf()),
    [to(routes.requestWithdrawal)]: withdrawal,
    [to(routes.sendMessage)]: () => json({ messageId: 'm1', position: '7', message: 'ok' }),
    [to(routes.signOut)]: () => json({ message: 'ok' }),
  });
}

const forms = {
  withdrawal: () => <WithdrawalForm account={account} onDone={noop} />,
  transfer: () => <TransferForm account={account} hasPin onDone={noop} />,
  funding: () => <FundForm onCurrency={noop} onDone={noop} />,
  support: () => <MessageForm />,
};
const box = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const chosen = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name }).checked;
const press = (user: UserEvent, name: string) => user.click(screen.getByRole('button', { name }));
/** All that a reload leaves of a page. */
const kept = () => JSON.stringify(Object.fromEntries(Object.entries(sessionStorage)));

async function withdraw(user: UserEvent) {
  await user.click(screen.getByRole('radio', { name: /^USDT/ }));
  await user.type(box('Amount, USD'), '250');
  await user.type(box('Transfer pin or password'), 'correct horse');
}

describe('after a reload', () => {
  test('a withdrawal has its currency and amount again, and nothing that proves who asks', async () => {
    answering();
    const first = renderApp(forms.withdrawal());
    await withdraw(first.user);
    expect(kept()).toContain('250');
    expect(kept()).not.toContain('correct horse');
    first.unmount();

    renderApp(forms.withdrawal());
    expect(box('Amount, USD').value).toBe('250');
    expect(chosen(/^USDT/)).toBe(true);
    expect(box('Transfer pin or password').value).toBe('');
  });

  test('a transfer has all but its pin', async () => {
    answering();
    const first = renderApp(forms.transfer());
    await first.user.click(screen.getByRole('radio', { name: 'International' }));
    const typed = {
      'Account number': '12345',
      'Account name': 'Carl Miller',
      'Bank name': 'First Bank',
      'SWIFT/BIC/IBAN': 'FBKSESS',
      'Amount, USD': '5',
      Narration: 'Rent',
    };
    for (const [label, text] of Object.entries(typed)) await first.user.type(box(label), text);
    await first.user.type(box('Transfer pin'), '4711');
    expect(kept()).not.toContain('4711');
    first.unmount();

    renderApp(forms.transfer());
    expect(chosen(/^International$/)).toBe(true);
    for (const [label, text] of Object.entries(typed))
      expect([label, box(label).value]).toEqual([label, text]);
    expect(box('Transfer pin').value).toBe('');
  });

  test('a fund request has its currency and amount, and tells which deposit address is meant', async () => {
    answering();
    const first = renderApp(forms.funding());
    await first.user.click(screen.getByRole('radio', { name: 'PI' }));
    await first.user.type(box('Amount, USD'), '40');
    await first.user.upload(
      box('Payment evidence'),
      new File(['%PDF-1.4'], 'receipt.pdf', { type: 'application/pdf' }),
    );
    expect(kept()).not.toContain('receipt');
    first.unmount();

    const currencies: string[] = [];
    renderApp(<FundForm onCurrency={(currency) => void currencies.push(currency)} onDone={noop} />);
    expect(box('Amount, USD').value).toBe('40');
    expect(currencies.at(-1)).toBe('PI');
    expect(screen.queryByText('receipt.pdf')).toBeNull();
  });

  test('what may have been done is sent under the key of before, so that it is never done twice', async () => {
    const answers = [unknown, accepted];
    const calls = answering(() => (answers.shift() ?? accepted)());
    const first = renderApp(forms.withdrawal());
    await withdraw(first.user);
    await press(first.user, 'Submit request');
    await screen.findByText(/^We don't know yet whether this was done/);
    first.unmount();

    const { user } = renderApp(forms.withdrawal());
    await user.type(box('Transfer pin or password'), 'correct horse');
    await press(user, 'Submit request');
    await screen.findByText('Your request has been submitted successfully!');
    const sent = calls.filter(({ name }) => name === to(routes.requestWithdrawal));
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(kept()).toBe('{}');
  });

  test('words that no form takes any more are passed over', () => {
    answering();
    for (const stored of [
      '{',
      '"x"',
      JSON.stringify({ userId: 'amara', forms: { withdrawal: { fields: { currency: 'EUR', amount: 7 } } } }),
    ]) {
      sessionStorage.setItem('lode-drafts', stored);
      const { unmount } = renderApp(forms.withdrawal());
      expect([stored, box('Amount, USD').value, chosen(/^BTC/)]).toEqual([stored, '', true]);
      unmount();
    }
  });
});

describe('nothing is left', () => {
  test('of what was sent', async () => {
    answering();
    const { user, unmount } = renderApp(forms.support());
    await user.type(box('Message'), 'When are they back?');
    expect(kept()).toContain('When are they back?');
    await press(user, 'Send message');
    await screen.findByText('Message sent successfully!');
    expect(kept()).toBe('{}');
    unmount();
    renderApp(forms.support());
    expect(box('Message').value).toBe('');
  });

  test('of what was typed and taken back', async () => {
    answering();
    const { user } = renderApp(forms.support());
    await user.type(box('Message'), 'x');
    await user.clear(box('Message'));
    expect(kept()).toBe('{}');
  });

  test('once its person signs out, or another one signs in', async () => {
    for (const end of ['out', 'another'] as const) {
      answering();
      const { user, session, unmount } = renderApp(forms.support());
      await user.type(box('Message'), 'Mine alone');
      expect(kept()).toContain('Mine alone');
      act(() => {
        if (end === 'another') session.adopt(sessionOf('admin'));
      });
      if (end === 'out') {
        unmount();
        session.end();
      }
      expect([end, kept()]).toEqual([end, '{}']);
      unmount();
    }
  });

  test('for another person who signs in after a reload', async () => {
    answering();
    const first = renderApp(forms.support());
    await first.user.type(box('Message'), 'Mine alone');
    first.unmount();
    renderApp(forms.support(), { role: 'admin' });
    await waitFor(() => expect(kept()).toBe('{}'));
    expect(box('Message').value).toBe('');
  });
});

test('a session that ran out leaves what was typed', async () => {
  answering();
  const { user, store, session, unmount } = renderApp(forms.support());
  await user.type(box('Message'), 'Still here');
  act(() => void store.dispatch({ type: 'session/sessionExpired' }));
  act(() => session.adopt(sessionOf('user', 'second-token')));
  expect(kept()).toContain('Still here');
  unmount();
});
