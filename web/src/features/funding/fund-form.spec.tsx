import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { routes } from '../../api';
import { json, problem, renderApp, serve, to } from '../../testing';
import { DepositAddress } from './deposit-address';
import { FundForm } from './fund-form';

const receipt = new File(['%PDF-1.4'], 'receipt.pdf', { type: 'application/pdf' });
const noop = () => undefined;

async function fill(user: UserEvent, amount: string) {
  await user.type(screen.getByLabelText('Amount, USD'), amount);
  await user.upload(screen.getByLabelText('Payment evidence'), receipt);
}
const submit = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Submit request' }));

test.each(['', '0', '-5', '1e3', '10.001'])('refuses %j as an amount and sends nothing', async (amount) => {
  const calls = serve({});
  const { user } = renderApp(<FundForm onCurrency={noop} onDone={noop} />);
  if (amount !== '') await user.type(screen.getByLabelText('Amount, USD'), amount);
  await submit(user);
  expect(screen.getByText('Please enter a valid amount and upload payment evidence.')).toBeTruthy();
  expect(screen.getByText('Please enter a valid upload payment evidence.')).toBeTruthy();
  expect(calls).toEqual([]);
});

test('says that a comma is no decimal point, and sends nothing', async () => {
  const calls = serve({});
  const { user } = renderApp(<FundForm onCurrency={noop} onDone={noop} />);
  await fill(user, '12,50');
  await submit(user);
  expect(await screen.findByText(/^Write cents after a point/)).toBeTruthy();
  expect(calls).toEqual([]);
});

test('repeats a request whose answer was lost under the same key, without a second upload', async () => {
  let tries = 0;
  const calls = serve({
    [to(routes.uploadEvidence)]: () => json({ fileId: 'f1' }),
    [to(routes.requestFunding)]: () => {
      tries += 1;
      if (tries === 1) throw new TypeError('network');
      return json(
        { requestId: 'r1', status: 'Pending', position: '7', message: 'ok' },
        { 'lode-position': '7.3f9a0c1d' },
      );
    },
  });
  let done = 0;
  const { user, store } = renderApp(<FundForm onCurrency={noop} onDone={() => (done += 1)} />);
  await user.click(screen.getByRole('radio', { name: 'USDT' }));
  await fill(user, '1,250.50');
  await submit(user);
  expect(
    await screen.findByText('There was an error submitting your request. Please try again.'),
  ).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Amount, USD').value).toBe('1,250.50');

  await submit(user);
  expect(await screen.findByText('Your request has been submitted successfully!')).toBeTruthy();
  const requests = calls.filter(({ name }) => name === to(routes.requestFunding));
  expect(requests.map(({ body }) => body)).toEqual(
    Array(2).fill({ amount: '1250.50', currency: 'USDT', evidenceId: 'f1' }),
  );
  expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  expect(calls.filter(({ name }) => name === to(routes.uploadEvidence))).toHaveLength(1);
  expect(done).toBe(1);
  expect(store.getState().sync.position).toBe('7.3f9a0c1d');
});

test("puts the service's word about the file where the file is", async () => {
  serve({
    [to(routes.uploadEvidence)]: () => problem(415, 'file_type', 'Only images and PDF files are accepted.'),
  });
  const { user } = renderApp(<FundForm onCurrency={noop} onDone={noop} />);
  await fill(user, '100');
  await submit(user);
  expect(await screen.findByText('Only images and PDF files are accepted.')).toBeTruthy();
});

test.each([
  [403, 'email_unverified', 'Please verify your e-mail address first.'],
  [429, 'quota_exceeded', 'You have uploaded as much as you may for now.'],
] as const)(
  'says with %i why nothing may be asked for, in the service’s words (%s)',
  async (status, code, words) => {
    serve({ [to(routes.uploadEvidence)]: () => problem(status, code, words) });
    const { user } = renderApp(<FundForm onCurrency={noop} onDone={noop} />);
    await fill(user, '100');
    await submit(user);
    expect(await screen.findByText(words)).toBeTruthy();
  },
);

test('says of a request that may have been made that nobody knows, and sends it again under the same key', async () => {
  let tries = 0;
  const calls = serve({
    [to(routes.uploadEvidence)]: () => json({ fileId: 'f1' }),
    [to(routes.requestFunding)]: () => {
      tries += 1;
      if (tries === 1) return problem(503, 'unknown_outcome', 'It is not known.');
      return json({ requestId: 'r1', status: 'Pending', position: '7', message: 'ok' });
    },
  });
  const { user } = renderApp(<FundForm onCurrency={noop} onDone={noop} />);
  await fill(user, '100');
  await submit(user);
  expect(
    await screen.findByText("We don't know yet whether this was done. Send it again: it is never done twice"),
  ).toBeTruthy();
  expect(screen.queryByText(/There was an error/)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Amount, USD').value).toBe('100');

  await submit(user);
  expect(await screen.findByText('Your request has been submitted successfully!')).toBeTruthy();
  const keys = calls
    .filter(({ name }) => name === to(routes.requestFunding))
    .map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test('has another file chosen where the evidence belongs to another request, and sends that one', async () => {
  let uploads = 0;
  const inUse =
    'This payment evidence belongs to another request. Please upload the evidence of this payment.';
  const calls = serve({
    [to(routes.uploadEvidence)]: () => json({ fileId: `f${(uploads += 1)}` }),
    [to(routes.requestFunding)]: () =>
      uploads === 1
        ? problem(409, 'evidence_in_use', inUse)
        : json({ requestId: 'r1', status: 'Pending', position: '7', message: 'ok' }),
  });
  const { user } = renderApp(<FundForm onCurrency={noop} onDone={noop} />);
  await fill(user, '100');
  await submit(user);
  expect(await screen.findByText(inUse)).toBeTruthy();
  expect(screen.queryByText('receipt.pdf')).toBeNull();

  await submit(user);
  expect(await screen.findByText('Please enter a valid upload payment evidence.')).toBeTruthy();
  expect(uploads).toBe(1);

  await user.upload(screen.getByLabelText('Payment evidence'), receipt);
  await submit(user);
  expect(await screen.findByText('Your request has been submitted successfully!')).toBeTruthy();
  expect(calls.filter(({ name }) => name === to(routes.requestFunding)).map(({ body }) => body)).toEqual(
    ['f1', 'f2'].map((evidenceId) => ({ amount: '100', currency: 'BTC', evidenceId })),
  );
});

test('names the address that was shown, and shows the new one once it is another', async () => {
  let address = 'bc1qold';
  const changed = 'The deposit address for BTC has changed. Look at it again before you send anything.';
  const calls = serve({
    [to(routes.depositAddresses)]: () =>
      json({
        addresses: { BTC: address, PI: null, USDT: null },
        networks: { BTC: 'bitcoin', PI: 'stellar', USDT: 'ethereum' },
      }),
    [to(routes.uploadEvidence)]: () => json({ fileId: 'f1' }),
    [to(routes.requestFunding)]: () =>
      calls.filter(({ name }) => name === to(routes.requestFunding)).length === 1
        ? problem(409, 'deposit_address_changed', changed)
        : json({ requestId: 'r1', status: 'Pending', position: '7', message: 'ok' }),
  });
  const { user } = renderApp(
    <FundForm onCurrency={noop} onDone={noop}>
      <DepositAddress currency="BTC" support={null} />
    </FundForm>,
  );
  expect(await screen.findByText('bc1qold')).toBeTruthy();
  await fill(user, '100');
  address = 'bc1qnew';
  await submit(user);
  expect(await screen.findByText(changed)).toBeTruthy();
  expect(await screen.findByText('bc1qnew')).toBeTruthy();
  await submit(user);
  expect(await screen.findByText('Your request has been submitted successfully!')).toBeTruthy();
  expect(calls.filter(({ name }) => name === to(routes.requestFunding)).map(({ body }) => body)).toEqual(
    ['bc1qold', 'bc1qnew'].map((depositAddress) => ({
      amount: '100',
      currency: 'BTC',
      evidenceId: 'f1',
      depositAddress,
    })),
  );
});
