import fc from 'fast-check';
import { MAX_MINOR, paymentCurrencies, type AccountCommand, type Minor } from '#ledger';

/** Minor units of every size that may be held, the borders often among them. */
export function anyMinor(min: Minor = -MAX_MINOR): fc.Arbitrary<Minor> {
  return fc.oneof(
    fc.bigInt({ min: min > -1_000n ? min : -1_000n, max: 1_000n }),
    fc.bigInt({ min: min > -1_000_000_000n ? min : -1_000_000_000n, max: 1_000_000_000n }),
    fc.bigInt({ min, max: MAX_MINOR }),
    fc.constantFrom(...[MAX_MINOR, MAX_MINOR - 1n, -MAX_MINOR, 1n, 0n].filter((one) => one >= min)),
  );
}

/** Prices from the smallest to the largest, 1 often among them. */
export function anyPrice(): fc.Arbitrary<Minor> {
  return fc.oneof(
    fc.constant(10n ** 8n),
    fc.constantFrom(1n, 3n * 10n ** 8n, MAX_MINOR),
    fc.bigInt({ min: 1n, max: 10n ** 14n }),
  );
}

const evidence = fc.record({
  fileId: fc.string({ maxLength: 6 }),
  mediaType: fc.constant('image/png'),
  bytes: fc.nat(),
  sha256: fc.constant('ab'),
});

const currency = fc.constantFrom(...paymentCurrencies);
const prices = fc.record({ BTC: anyPrice(), PI: anyPrice(), USDT: anyPrice() });
/** Few ids, so that commands meet requests that are there already. */
const requestId = fc.constantFrom('r1', 'r2', 'r3', 'r4');

const byType: {
  readonly [Type in AccountCommand['type']]: fc.Arbitrary<Extract<AccountCommand, { type: Type }>>;
} = {
  OpenAccount: fc.record({
    type: fc.constant('OpenAccount'),
    userId: fc.constant('u1'),
    accountNumber: fc.constantFrom('3000000001', '3000000002'),
    role: fc.oneof({ weight: 9, arbitrary: fc.constant('user' as const) }, fc.constant('admin' as const)),
    profile: fc.string({ maxLength: 12 }),
  }),
  RequestFunding: fc.record({
    type: fc.constant('RequestFunding'),
    requestId,
    amount: anyMinor(),
    currency,
    evidence,
  }),
  ConfirmFunding: fc.record({ type: fc.constant('ConfirmFunding'), requestId, prices }),
  RejectFunding: fc.record({ type: fc.constant('RejectFunding'), requestId }),
  AdjustWallet: fc.record({
    type: fc.constant('AdjustWallet'),
    entries: fc.array(fc.record({ currency, amount: anyMinor() }), { maxLength: 4 }),
    prices,
  }),
};

/** Any command to an account, or any of one type: a command without an arbitrary here does not compile. */
export function accountCommand(type?: AccountCommand['type']): fc.Arbitrary<AccountCommand> {
  return type === undefined ? fc.oneof(...Object.values(byType)) : byType[type];
}
