import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  confirmFunding,
  credit,
  dataFolder,
  firstAdmin,
  join,
  keyed,
  killAll,
  lodeWith,
  saveWalletAddress,
  signIn,
  startProgram,
  upload,
  type Listening,
  type Person,
} from '../testing/index.js';

/** A currency that the table has in this test's programs alone, as its entry would read there. */
const ETHER = `{ code: 'ETH', scale: 8, displayScale: 4, isPayable: true, depositField: 'etherWallet' }`;

/** Loads the table of currencies with one more in every thread of a program: nothing else of it is changed. */
const hook = `
  import { registerHooks } from 'node:module';
  const TABLE = '/libs/ledger/currency-table.js';
  registerHooks({
    load: (url, context, next) => url.endsWith(TABLE)
      ? { format: 'module', shortCircuit: true, source:
          "import { currencyTable as four } from './currency-table.js?as-it-is';" +
          "export const currencyTable = [...four, ${ETHER}];" }
      : next(url, context),
  });
`;

const programs: Listening[] = [];
let folder: ReturnType<typeof dataFolder>;
let withEther: Readonly<Record<string, string>>;

beforeEach(() => {
  folder = dataFolder();
  const file = pathJoin(folder.path, 'fifth-currency.mjs');
  writeFileSync(file, hook);
  withEther = { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` };
});
afterEach(async () => {
  await killAll(programs);
  await folder.remove();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const program = await startProgram(folder.path, env);
  programs.push(program);
  return program;
}

async function stop(program: Listening): Promise<void> {
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
}

/** Sees the world as of a command. */
const after = ({ position }: { readonly position: string }) => ({ headers: { 'Lode-Position': position } });

/** An answer whose currencies this process's own contract does not know. */
async function told({ api }: Person, ...ask: Parameters<Person['api']['call']>): Promise<unknown> {
  const { status, json, text } = await api.call(...ask);
  if (status >= 300) throw new Error(`${ask[0]} answered with ${status}: ${text}`);
  return json;
}

test('a fifth currency is an entry in the table, also on a log from before it', async () => {
  const before = await start();
  const [adminBefore, annBefore] = [await firstAdmin(before), await join(before.visitor, 'Ann')];
  await saveWalletAddress(annBefore);
  await credit(adminBefore, annBefore, { BTC: '100' });
  await stop(before);

  const program = await start(withEther);
  const [admin, ann] = [await signIn(program.visitor, adminBefore), await signIn(program.visitor, annBefore)];
  const { userId } = ann;
  const zero = { available: '0.00000000', balance: '0.00000000', held: '0.00000000' };
  expect(await told(ann, 'me')).toMatchObject({ balances: { ETH: zero }, withdrawable: { ETH: '0.00' } });

  // Settings: its price, and where deposits in it go.
  const settings = { prices: { ETH: '2000' }, reason: 'a test' };
  await told(admin, 'setPrices', { body: settings, headers: keyed() });
  await told(admin, 'changeDepositDetails', {
    body: { etherWallet: '0xabc', reason: 'a test' },
    headers: keyed(),
  });
  expect(await told(ann, 'prices')).toMatchObject({ prices: { BTC: '1.00000000', ETH: '2000.00000000' } });
  expect(await told(ann, 'depositAddresses')).toMatchObject({ addresses: { BTC: null, ETH: '0xabc' } });

  // Funding.
  const body = { amount: '50', currency: 'ETH', evidenceId: await upload(ann) };
  const { requestId } = (await told(ann, 'requestFunding', { body, headers: keyed() })) as {
    requestId: string;
  };
  const funded = await confirmFunding(admin, ann, requestId);
  expect(await told(ann, 'me', after(funded))).toMatchObject({
    wallet: { balance: '150.00' },
    balances: { BTC: { balance: '100.00000000' }, ETH: { balance: '0.02500000' } },
  });

  // Withdrawal.
  const asked = (await told(ann, 'requestWithdrawal', {
    body: { amount: '10', currency: 'ETH', proof: { password: ann.password } },
    headers: keyed(),
  })) as { requestId: string };
  const paid = await admin.api.get('confirmWithdrawal', {
    params: { userId, requestId: asked.requestId },
    body: {},
    headers: keyed(),
  });
  expect(await told(ann, 'withdrawable', { params: { userId }, ...after(paid) })).toMatchObject({
    withdrawable: { ETH: '40.00' },
  });

  // Statement.
  expect(await told(ann, 'why', { params: { userId, currency: 'ETH' }, ...after(paid) })).toMatchObject({
    balance: '0.02000000',
    chainVerified: true,
    entries: [
      { type: 'WithdrawalConfirmed', change: '-0.00500000', balanceAfter: '0.02000000' },
      { type: 'WithdrawalRequested', change: '0.00000000', heldChange: '0.00500000' },
      { type: 'FundingConfirmed', change: '0.02500000', balanceAfter: '0.02500000' },
    ],
  });
  expect(
    await told(admin, 'accountAsOf', { params: { userId }, query: { position: funded.position } }),
  ).toMatchObject({ balances: { ETH: { balance: '0.02500000' } } });

  // Books: now, as of before the withdrawal, and what all customers have.
  expect(await told(admin, 'trialBalance', after(paid))).toMatchObject({
    liabilities: { ETH: '0.02000000', BTC: '100.00000000' },
    sum: { ETH: '0.00000000' },
    balanced: true,
  });
  const earlier = { query: { position: funded.position } };
  expect(await told(admin, 'trialBalance', earlier)).toMatchObject({ liabilities: { ETH: '0.02500000' } });
  expect(await told(admin, 'totals', after(paid))).toMatchObject({
    balances: { USD: '140.00', ETH: '0.02000000' },
  });

  // Files, versions of the read models, and the check of the whole log.
  const { text } = await admin.api.call('people', { query: { format: 'csv' } });
  expect(text.split('\r\n')[0]).toContain(',BTC,ETH,PI,USDT,');
  const { models } = await admin.api.get('projections');
  const versions = Object.fromEntries(models.map(({ name, version }) => [name, version]));
  expect(versions).toMatchObject({ accounts: 6, totals: 3, requests: expect.any(Number) });
  await stop(program);
  expect(await lodeWith({ env: withEther }, folder.path, 'verify')).toMatchObject({ code: 0, err: '' });
});
