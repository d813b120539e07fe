import { expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import type { WalletNetwork } from '#contracts';
import { api, changed, routes } from '../../api';
import { json, problem, renderApp, serve, to } from '../../testing';
import { DepositAddress } from './deposit-address';

const ADDRESS = 'bc1qexample0000000000000000000000000000000';
const answer = (BTC: string, network: WalletNetwork = 'bitcoin') =>
  json({
    addresses: { BTC, PI: null, USDT: null },
    networks: { BTC: network, PI: 'stellar', USDT: 'ethereum' },
  });
const asked = (network?: WalletNetwork) =>
  serve({ [to(routes.depositAddresses)]: () => answer(ADDRESS, network) });

test('shows where a deposit goes and over which network, to copy and as a code made here', async () => {
  const calls = asked();
  const { user } = renderApp(<DepositAddress currency="BTC" support={null} />);
  expect(await screen.findByText(ADDRESS)).toBeTruthy();
  expect(screen.getByText('Bitcoin')).toBeTruthy();
  const code = await screen.findByRole('img', { name: 'QR code of the BTC deposit address' });
  // One finder pattern alone has 33 dark modules.
  expect(code.querySelector('path')?.getAttribute('d')?.match(/M/g)?.length).toBeGreaterThan(200);
  const written = jest.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(screen.getByRole('button', { name: 'Copy Deposit address' }));
  expect(written).toHaveBeenCalledWith(ADDRESS);
  expect(await screen.findByText('Deposit address copied')).toBeTruthy();
  written.mockRejectedValue(new Error('not allowed'));
  await user.click(screen.getByRole('button', { name: 'Copy Deposit address' }));
  expect(await screen.findByText(/^This browser doesn’t let us copy\./)).toBeTruthy();
  expect(calls).toHaveLength(1);
});

test('an address that can’t be looked up again is not shown any more, until a retry has it', async () => {
  const answers = [
    () => answer(ADDRESS),
    () => problem(503, 'unavailable', 'It is away.'),
    () => answer('bc1qanother'),
  ];
  serve({ [to(routes.depositAddresses)]: () => answers.shift()!() });
  const { store, user } = renderApp(<DepositAddress currency="BTC" support={null} />);
  expect(await screen.findByText(ADDRESS)).toBeTruthy();
  act(() => {
    store.dispatch(api.util.invalidateTags([...changed('settings', 'deposit-details')]));
  });
  expect(await screen.findByText('It is away.')).toBeTruthy();
  expect(screen.queryByText(ADDRESS)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('bc1qanother')).toBeTruthy();
});

test('says what to do where there is none', async () => {
  asked();
  renderApp(<DepositAddress currency="PI" support="Write to support" />);
  expect((await screen.findByRole('status')).textContent).toContain('Don’t send anything');
  expect(screen.queryByRole('img')).toBeNull();
});

test('names the network that the service names, and none where the address is of another', async () => {
  asked('tron');
  const { unmount } = renderApp(<DepositAddress currency="BTC" support={null} />);
  expect(
    await screen.findByText('Send BTC over Tron (TRC-20) only. What comes over another network is lost.'),
  ).toBeTruthy();
  unmount();
  asked('none');
  renderApp(<DepositAddress currency="BTC" support={null} />);
  expect(await screen.findByText('Ask the operator which')).toBeTruthy();
  expect(screen.getByText(/^Send no BTC before you know the network\./)).toBeTruthy();
});
