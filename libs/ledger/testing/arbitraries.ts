import fc from 'fast-check';
import {
  MAX_MINOR,
  paymentCurrencies,
  perPaymentCurrency,
  type AccountCommand,
  type BonusPolicy,
  type Minor,
  type Conversion,
} from '#ledger';

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

const currency = fc.constantFrom(...paymentCurrencies);
const evidence = fc.record({
  fileId: fc.string({ maxLength: 6 }),
  mediaType: fc.constant('image/png'),
  bytes: fc.nat(),
  sha256: fc.constant('ab'),
});

const prices = fc.record(perPaymentCurrency(() => anyPrice()));
const image = evidence;
const sealed = fc.constantFrom('sealed 1', 'sealed 2', 'sealed 3');
const rate = fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n }), { nil: null });
const receiver = fc.constantFrom(
  null,
  { userId: 'u2', accountNumber: '3000000009' },
  { userId: 'u1', accountNumber: '3000000001' },
);
const transferType = fc.constantFrom('local' as const, 'international' as const);
const policy: fc.Arbitrary<BonusPolicy> = fc.record({
  rate: fc.constantFrom('0.10', '0', '0.0001', '1'),
  windowDays: fc.constantFrom(7, 1, 30),
  everyHours: fc.constantFrom(7, 1, 24),
  capDays: fc.constantFrom(7, 1, 10),
  currency,
});
const conversion: fc.Arbitrary<Conversion> = fc.record({
  currency,
  amount: anyMinor(0n),
  price: anyPrice(),
  converted: anyMinor(0n),
});

/** Few ids, so that commands meet requests that are there already. */
const requestId = fc.constantFrom('r1', 'r2', 'r3', 'r4');

/** Three admins, of whom any may have lost the right to decide. */
const approval = fc.record({
  by: fc.constantFrom('a1', 'a2', 'a3'),
  needed: fc.constantFrom(1, 2, 3),
  deciders: fc.constantFrom(new Set(['a1', 'a2', 'a3']), new Set(['a1', 'a2'])),
  expireMs: fc.constantFrom(3_600_000, 259_200_000),
});
const requestOfIts = fc
  .record({ approval, requestId })
  .map(({ approval: of, ...its }) => ({ ...of, ...its }));

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
    depositAddress: fc.option(fc.constantFrom('bc1qone', 'bc1qtwo')),
  }),
  ConfirmFunding: fc.record({ type: fc.constant('ConfirmFunding'), requestId, prices }),
  RejectFunding: fc.record({ type: fc.constant('RejectFunding'), requestId }),
  AdjustWallet: fc.record(
    {
      type: fc.constant('AdjustWallet'),
      entries: fc.array(fc.record({ currency, amount: anyMinor() }), { maxLength: 4 }),
      prices,
      approval: requestOfIts,
    },
    { requiredKeys: ['type', 'entries', 'prices'] },
  ),
  ApproveAdjustment: fc.record({ type: fc.constant('ApproveAdjustment'), requestId, prices, approval }),
  RejectAdjustment: fc.record({ type: fc.constant('RejectAdjustment'), requestId }),
  RequestWithdrawal: fc.record({
    type: fc.constant('RequestWithdrawal'),
    requestId,
    amount: anyMinor(),
    currency,
    prices,
    rate,
    address: fc.option(sealed),
  }),
  ConfirmWithdrawal: fc.record(
    { type: fc.constant('ConfirmWithdrawal'), requestId, reference: sealed },
    { requiredKeys: ['type', 'requestId'] },
  ),
  RejectWithdrawal: fc.record({ type: fc.constant('RejectWithdrawal'), requestId }),
  RequestTransfer: fc.record({
    type: fc.constant('RequestTransfer'),
    requestId,
    transferType,
    receiver,
    amount: anyMinor(),
    currency,
    prices,
    details: sealed,
  }),
  ConfirmTransfer: fc.record({ type: fc.constant('ConfirmTransfer'), requestId }),
  RejectTransfer: fc.record({ type: fc.constant('RejectTransfer'), requestId }),
  ReceiveTransfer: fc.record({
    type: fc.constant('ReceiveTransfer'),
    transferId: fc.constantFrom('t1', 't2', 't3'),
    from: fc.constant('u2'),
    conversion,
  }),
  SettleTransfer: fc.record({ type: fc.constant('SettleTransfer'), requestId }),
  ReturnTransfer: fc.record({ type: fc.constant('ReturnTransfer'), requestId }),
  ChangeProfile: fc.record({ type: fc.constant('ChangeProfile'), profile: sealed }),
  ChangeProfileImage: fc.record({ type: fc.constant('ChangeProfileImage'), image }),
  SaveWalletAddress: fc.record(
    {
      type: fc.constant('SaveWalletAddress'),
      address: sealed,
      currency,
      unfit: fc.array(sealed, { maxLength: 2 }),
      waitMs: fc.constantFrom(0, 3_600_000),
    },
    { requiredKeys: ['type', 'address'] },
  ),
  CancelWalletAddress: fc.record(
    { type: fc.constant('CancelWalletAddress'), currency },
    { requiredKeys: ['type'] },
  ),
  DelayMoneyOut: fc.record({
    type: fc.constant('DelayMoneyOut'),
    why: fc.constantFrom('password_reset', 'email_changed', 'second_factor_removed'),
    waitMs: fc.nat({ max: 172_800_000 }),
  }),
  VerifyEmail: fc.record({ type: fc.constant('VerifyEmail') }),
  Suspend: fc.record({ type: fc.constant('Suspend') }),
  Activate: fc.record({ type: fc.constant('Activate') }),
  ForgetPerson: fc.record({ type: fc.constant('ForgetPerson'), prices }),
  StartBonusCycle: fc.record({ type: fc.constant('StartBonusCycle'), policy }),
  RestartBonusCycle: fc.record({ type: fc.constant('RestartBonusCycle'), policy }),
  StopBonus: fc.record({ type: fc.constant('StopBonus'), policy }),
  AccrueBonus: fc.record({ type: fc.constant('AccrueBonus'), policy, prices }),
};

/** Any command to an account, or any of one type: a command without an arbitrary here does not compile. */
export function accountCommand(type?: AccountCommand['type']): fc.Arbitrary<AccountCommand> {
  return type === undefined ? fc.oneof(...Object.values(byType)) : byType[type];
}
