import type { AccountCommand, ApprovalRule, BonusPolicy, DelayReason, PaymentCurrency } from '#ledger';

/**
 * The wallet as one would write it on paper: plain maps, no events, and rules of its own. Whatever the program answers
 * and holds must be what this says.
 */
export type WalletModel = {
  readonly accounts: Map<string, ModelAccount>;
  /** Everything that was sent, by its key, with what came of it, to be sent again. */
  readonly sent: Map<string, Sent>;
  /** What a reactor has to send, or has sent already: it may do so at any time and as often as it likes. */
  readonly deliveries: { readonly userId: string; readonly command: AccountCommand }[];
  /** Milliseconds since the epoch. */
  now: number;
};

type Sums = Record<'USD' | PaymentCurrency, bigint>;

export type ModelAccount = {
  readonly userId: string;
  readonly accountNumber: string;
  readonly role: 'user' | 'admin';
  status: 'active' | 'suspended' | 'closed';
  profile: string;
  /** Where withdrawals go, and what takes its place from when on, by currency; `any` for those that have none of their own. */
  readonly addresses: Map<string, { now: string; next: string | null; from: number; isShared: boolean }>;
  /** The addresses that others took the place of, the latest eight, each once, and when. */
  readonly left: Map<string, readonly { readonly address: string; readonly at: number }[]>;
  isEmailVerified: boolean;
  /** No money leaves before `until`, in milliseconds since the epoch. */
  waits: { readonly until: number; readonly why: DelayReason } | null;
  fileId: string | null;
  readonly available: Sums;
  readonly held: Sums;
  readonly requests: Map<string, ModelRequest>;
  /** Adjustments that wait for other admins, or waited. */
  readonly proposals: Map<string, ModelProposal>;
  readonly incoming: Map<string, 'received' | 'refused'>;
  bonus: { start: number; end: number; days: number; updated: number } | null;
};

/** Who approved what, until when in milliseconds since the epoch, and how many it took. */
type ModelApproval = { readonly by: string; readonly until: number; readonly needed: number };

export type ModelProposal = {
  readonly entries: readonly { readonly currency: PaymentCurrency; readonly amount: bigint }[];
  readonly until: number;
  approvals: readonly ModelApproval[];
  status: 'Pending' | 'approved' | 'rejected';
};

export type ModelRequest = {
  /** Of one that is open. */
  approvals: readonly ModelApproval[];
  readonly kind: 'funding' | 'withdrawal' | 'transfer';
  readonly amount: bigint;
  readonly currency: PaymentCurrency;
  status: 'Pending' | 'confirmed' | 'rejected';
  /** What is set aside in the currency, and at which price; of a fund request nothing. */
  readonly converted: bigint;
  readonly price: bigint;
  /** The file that shows the payment of a fund request; null for all else. */
  readonly evidence: string | null;
  /** Whom a transfer goes to; null for a bank, and for all else. */
  readonly to: string | null;
  delivery: 'none' | 'in transit' | 'received' | 'returned';
};

export type Sent = {
  readonly userId: string;
  readonly command: AccountCommand;
  readonly key: string;
  /** `done` in so many events, or the code and words of the refusal. */
  outcome: Outcome;
};

export type Outcome =
  | { readonly kind: 'done'; readonly events: number }
  | { readonly kind: 'refused'; readonly code: string; readonly words?: string };

const MAX = 9_223_372_036_854_775_807n;
/** What a cent is in the smallest unit of each currency at a price of 1 dollar, times 10^8, the scale of a price. */
const CENT = { BTC: 10n ** 14n, PI: 10n ** 13n, USDT: 10n ** 12n };
const currencies = ['BTC', 'PI', 'USDT'] as const;
/** What must stay after a withdrawal: a dollar. */
const DOLLAR = 100n;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A world with nobody in it. */
export function emptyModel(now: number): WalletModel {
  return { accounts: new Map(), sent: new Map(), deliveries: [], now };
}

/** Carries a command out on paper and says what the program must answer. */
export function apply(model: WalletModel, userId: string, command: AccountCommand): Outcome {
  const account = model.accounts.get(userId);
  if (command.type === 'OpenAccount') return open(model, account, command);
  if (account === undefined) return refused('account_not_found');
  if (account.status === 'closed') {
    if (command.type === 'ForgetPerson') return done(0);
    const fromAProcess = [
      'ReceiveTransfer',
      'SettleTransfer',
      'ReturnTransfer',
      'StartBonusCycle',
      'AccrueBonus',
    ];
    if (!fromAProcess.includes(command.type)) return refused('account_closed');
  }
  return person(model, account, command) ?? money(model, account, command);
}

function open(
  { accounts }: WalletModel,
  account: ModelAccount | undefined,
  {
    userId,
    accountNumber,
    role,
    profile,
    isUnverified = false,
    accepted = {},
  }: Extract<AccountCommand, { type: 'OpenAccount' }>,
): Outcome {
  if (account !== undefined)
    return account.accountNumber === accountNumber && account.role === role
      ? done(0)
      : refused('account_exists', 'User already exists');
  accounts.set(userId, {
    userId,
    accountNumber,
    role,
    status: 'active',
    profile,
    addresses: new Map(),
    left: new Map(),
    isEmailVerified: !isUnverified,
    waits: null,
    fileId: null,
    available: { USD: 0n, BTC: 0n, PI: 0n, USDT: 0n },
    held: { USD: 0n, BTC: 0n, PI: 0n, USDT: 0n },
    requests: new Map(),
    proposals: new Map(),
    incoming: new Map(),
    bonus: null,
  });
  return done(1 + (isUnverified ? 1 : 0) + (Object.keys(accepted).length > 0 ? 1 : 0));
}

/** What is about the person and not about money; undefined for all else. */
function person({ now }: WalletModel, account: ModelAccount, command: AccountCommand): Outcome | undefined {
  const set = <Key extends 'profile' | 'fileId' | 'status' | 'isEmailVerified'>(
    key: Key,
    to: ModelAccount[Key],
  ) => {
    const isSo = account[key] === to;
    account[key] = to;
    return done(isSo ? 0 : 1);
  };
  switch (command.type) {
    case 'ChangeProfile':
      return set('profile', command.profile);
    case 'SaveWalletAddress':
      return save(account, now, command);
    case 'CancelWalletAddress': {
      const slot = slotOf(account, command.currency);
      const kept = account.addresses.get(slot);
      if (kept === undefined || kept.next === null) return done(0);
      if (kept.from <= now) return refused('wallet_address_in_force');
      cancel(account, slot);
      return done(1);
    }
    case 'ChangeProfileImage':
      return set('fileId', command.image.fileId);
    case 'VerifyEmail':
      return set('isEmailVerified', true);
    case 'DelayMoneyOut': {
      const until = now + command.waitMs;
      if (account.role === 'admin' || until <= (account.waits?.until ?? now)) return done(0);
      account.waits = { until, why: command.why };
      return done(1);
    }
    case 'Suspend':
      return set('status', 'suspended');
    case 'Activate':
      return set('status', 'active');
    case 'ForgetPerson':
      return forget(account, command);
    default:
      return undefined;
  }
}

function slotOf({ addresses }: ModelAccount, currency: string | undefined): string {
  return currency !== undefined && addresses.has(currency) ? currency : 'any';
}

function goesTo({ addresses }: ModelAccount, slot: string, now: number): string | undefined {
  const kept = addresses.get(slot);
  return kept !== undefined && kept.next !== null && kept.from <= now ? kept.next : kept?.now;
}

function save(
  account: ModelAccount,
  now: number,
  command: Extract<AccountCommand, { type: 'SaveWalletAddress' }>,
): Outcome {
  const { address, currency = 'any', unfit = [], waitMs = 0 } = command;
  const own = account.addresses.get(currency);
  const pending = own !== undefined && own.next !== null && own.from > now ? own.next : null;
  const before = goesTo(account, own === undefined ? 'any' : currency, now);
  if (own !== undefined && before === address) {
    if (pending === null) return done(0);
    account.addresses.set(currency, { now: address, next: null, from: 0, isShared: false });
    return done(1);
  }
  if (before === undefined || before === address || waitMs === 0) {
    account.addresses.set(currency, { now: address, next: null, from: 0, isShared: false });
    return done(1);
  }
  const lately = ['any', currency].flatMap((slot) =>
    (account.left.get(slot) ?? []).filter(({ at }) => at > now - waitMs).map((one) => one.address),
  );
  const waits = [before, ...lately].some((one) => !unfit.includes(one));
  if (waits && pending === address) return done(0);
  const from = waits ? now + waitMs : now;
  const isShared = currency !== 'any' && (own === undefined || (own.isShared && pending !== null));
  account.addresses.set(currency, { now: before, next: address, from, isShared });
  const others = (account.left.get(currency) ?? []).filter((one) => one.address !== before);
  account.left.set(currency, [...others, { address: before, at: from }].slice(-8));
  return done(1);
}

/** Nothing waits any more; a currency that had only shared an address has none of its own again. */
function cancel({ addresses }: ModelAccount, slot: string): void {
  const kept = addresses.get(slot);
  if (kept?.isShared === true) addresses.delete(slot);
  else if (kept !== undefined) kept.next = null;
}

function forget(
  account: ModelAccount,
  { prices }: Extract<AccountCommand, { type: 'ForgetPerson' }>,
): Outcome {
  const { available, proposals, requests } = account;
  const isUnderWay = [...requests.values()].some(
    ({ status, delivery }) => status === 'Pending' || delivery === 'in transit',
  );
  // Something could still be paid in one of the currencies.
  const isOwed = currencies.some((one) => payableIn(available, one, prices[one]) > 0n);
  if (isUnderWay || isOwed) return refused('account_not_empty');
  const left = currencies.filter((one) => available[one] > 0n).length;
  const writtenOff = left === 0 && available.USD > 0n ? 1 : left;
  Object.assign(available, { USD: 0n, BTC: 0n, PI: 0n, USDT: 0n });
  account.addresses.clear();
  account.left.clear();
  Object.assign(account, { status: 'closed', fileId: null });
  const waiting = [...proposals.values()].filter(({ status }) => status === 'Pending');
  for (const proposal of waiting) Object.assign(proposal, { status: 'rejected', approvals: [] });
  return done(waiting.length + writtenOff + 1);
}

function money(model: WalletModel, account: ModelAccount, command: AccountCommand): Outcome {
  if (command.type === 'ReceiveTransfer') return receive(model, account, command);
  if (command.type === 'StartBonusCycle' || command.type === 'AccrueBonus')
    return account.role === 'admin' ? done(0) : bonus(model, account, command);
  if (account.role === 'admin') return refused('not_a_customer');
  switch (command.type) {
    case 'RestartBonusCycle':
    case 'StopBonus':
      return bonus(model, account, command);
    case 'AdjustWallet':
      return adjust(model.now, account, command);
    case 'ApproveAdjustment':
      return approveAdjustment(model.now, account, command);
    case 'RejectAdjustment': {
      const proposal = account.proposals.get(command.requestId);
      if (proposal === undefined) return refused('request_not_found');
      if (proposal.status !== 'Pending') return refused('request_closed', 'Transaction Closed');
      Object.assign(proposal, { status: 'rejected', approvals: [] });
      return done(1);
    }
    case 'RequestFunding':
    case 'RequestWithdrawal':
    case 'RequestTransfer':
      if (account.status === 'suspended') return refused('account_suspended');
      return command.type !== 'RequestFunding' && (account.waits?.until ?? 0) > model.now
        ? refused('money_out_waits')
        : ask(model.now, account, command);
    case 'ConfirmFunding':
    case 'ConfirmWithdrawal':
    case 'ConfirmTransfer':
    case 'RejectFunding':
    case 'RejectWithdrawal':
    case 'RejectTransfer':
      return decide(model, account, command);
    case 'SettleTransfer':
    case 'ReturnTransfer':
      return deliver(account, command);
    default:
      throw new Error(`${command.type} is about the person`);
  }
}

function ask(
  now: number,
  account: ModelAccount,
  command: Extract<AccountCommand, { type: 'RequestFunding' | 'RequestWithdrawal' | 'RequestTransfer' }>,
): Outcome {
  const { requestId, amount, currency, type } = command;
  const kind = (
    { RequestFunding: 'funding', RequestWithdrawal: 'withdrawal', RequestTransfer: 'transfer' } as const
  )[type];
  const to = type === 'RequestTransfer' ? (command.receiver?.userId ?? null) : null;
  if (amount <= 0n || (type === 'RequestFunding' && amount > MAX)) return refused('amount_invalid');
  const known = account.requests.get(requestId);
  if (known !== undefined) {
    const isSame =
      known.kind === kind && known.amount === amount && known.currency === currency && known.to === to;
    return isSame ? done(0) : refused('request_exists');
  }
  const evidence = type === 'RequestFunding' ? command.evidence.fileId : null;
  const isInUse = [...account.requests.values()].some(
    (one) => one.evidence !== null && one.evidence === evidence && one.status !== 'rejected',
  );
  if (isInUse) return refused('evidence_in_use');
  const request = {
    kind,
    amount,
    currency,
    status: 'Pending',
    evidence,
    to,
    delivery: 'none',
    approvals: [],
  } as const;
  if (type === 'RequestFunding') {
    account.requests.set(requestId, { ...request, converted: 0n, price: 0n });
    return done(1);
  }
  if (type === 'RequestWithdrawal') {
    const to = goesTo(account, slotOf(account, currency), now);
    if (to === undefined) return refused('wallet_address_missing');
    if (command.address !== null && command.address !== to) return refused('wallet_address_differs');
  }
  if (to === account.userId) return refused('transfer_to_self');
  if (amount > MAX) return refused('amount_invalid');
  const price = command.prices[currency];
  const converted = (amount * CENT[currency]) / price;
  const { available } = account;
  if (amount > payableIn(available, currency, price)) return lacking(currency);
  if (converted === 0n) return refused('amount_invalid');
  if (type === 'RequestWithdrawal') {
    if (available.USD - amount < DOLLAR)
      return refused('insufficient_balance', 'Insufficient wallet balance');
    if ((amount * (command.rate ?? 0n)) / 10n ** 8n > MAX) return refused('amount_invalid');
  }
  add(available, currency, -amount, -converted);
  add(account.held, currency, amount, converted);
  account.requests.set(requestId, { ...request, converted, price });
  return done(1);
}

function decide(
  model: WalletModel,
  account: ModelAccount,
  command: Exclude<
    Extract<AccountCommand, { type: `${'Confirm' | 'Reject'}${string}` }>,
    { type: 'RejectAdjustment' }
  >,
): Outcome {
  const kind = command.type.endsWith('Funding')
    ? 'funding'
    : command.type.endsWith('Withdrawal')
      ? 'withdrawal'
      : 'transfer';
  const request = account.requests.get(command.requestId);
  if (request?.kind !== kind) return refused('request_not_found');
  if (request.status === 'confirmed' && command.type.startsWith('Confirm'))
    return refused('request_already_confirmed', 'Transaction already confirmed');
  if (request.status !== 'Pending') return refused('request_closed', 'Transaction Closed');
  const { amount, currency, converted, price, to } = request;
  const { available, held } = account;
  if (!command.type.startsWith('Confirm')) {
    if (kind !== 'funding') {
      add(held, currency, -amount, -converted);
      add(available, currency, amount, converted);
    }
    Object.assign(request, { status: 'rejected', approvals: [] });
    return done(1);
  }
  const isTooMuch = kind === 'withdrawal' && available.USD + held.USD - amount < DOLLAR;
  if (isTooMuch) return refused('insufficient_balance', 'Insufficient wallet balance');
  const paidIn =
    command.type === 'ConfirmFunding' ? (amount * CENT[currency]) / command.prices[currency] : 0n;
  if (command.type === 'ConfirmFunding' && !takes(account, currency, amount, paidIn))
    return refused('amount_invalid');
  const rule = 'approval' in command ? command.approval : undefined;
  const said = approve(model.now, rule, request);
  if (said !== 'last' && said !== 'alone') return said;
  if (command.type === 'ConfirmFunding') add(available, currency, amount, paidIn);
  else add(held, currency, -amount, -converted);
  Object.assign(request, { status: 'confirmed', approvals: [] });
  if (to !== null) {
    request.delivery = 'in transit';
    const conversion = { currency, amount, price, converted };
    const { userId: from } = account;
    const receiving = { type: 'ReceiveTransfer', transferId: command.requestId, from, conversion } as const;
    model.deliveries.push({ userId: to, command: receiving });
  }
  return done(said === 'last' ? 2 : 1);
}

/** Notes an approval; `last` when it is enough of several, `alone` when it takes no other. */
function approve(
  now: number,
  rule: ApprovalRule | undefined,
  waiting: { approvals: readonly ModelApproval[] },
): Outcome | 'last' | 'alone' {
  if (rule === undefined) return 'alone';
  const { by, deciders, expireMs, needed } = rule;
  if (!deciders.has(by)) return refused('not_permitted');
  const counting = waiting.approvals.filter((one) => one.until > now && deciders.has(one.by));
  if (counting.some((one) => one.by === by)) return refused('already_approved');
  const takes = [needed, ...counting.map((one) => one.needed)].reduce((most, one) =>
    one > most ? one : most,
  );
  if (takes < 2) return 'alone';
  if (counting.length + 1 >= takes) return 'last';
  const others = waiting.approvals.filter((one) => one.by !== by);
  waiting.approvals = [...others, { by, until: now + expireMs, needed: takes }];
  return done(1);
}

function approveAdjustment(
  now: number,
  account: ModelAccount,
  { requestId, prices, approval }: Extract<AccountCommand, { type: 'ApproveAdjustment' }>,
): Outcome {
  const proposal = account.proposals.get(requestId);
  if (proposal === undefined) return refused('request_not_found');
  if (proposal.status !== 'Pending') return refused('request_closed', 'Transaction Closed');
  if (proposal.approvals[0]?.by === approval.by) return refused('own_request');
  if (proposal.until <= now) return refused('approval_expired');
  const before = proposal.approvals;
  const said = approve(now, approval, proposal);
  if (said !== 'last' && said !== 'alone') return said;
  const booked = adjust(now, account, { type: 'AdjustWallet', entries: proposal.entries, prices });
  if (booked.kind === 'refused') {
    proposal.approvals = before;
    return booked;
  }
  Object.assign(proposal, { status: 'approved', approvals: [] });
  return done(booked.events + 1);
}

function receive(
  model: WalletModel,
  account: ModelAccount,
  { transferId, from, conversion }: Extract<AccountCommand, { type: 'ReceiveTransfer' }>,
): Outcome {
  if (account.incoming.has(transferId)) return done(0);
  const { currency, amount, converted } = conversion;
  const isTaken =
    account.role === 'user' && account.status === 'active' && takes(account, currency, amount, converted);
  if (isTaken) add(account.available, currency, amount, converted);
  account.incoming.set(transferId, isTaken ? 'received' : 'refused');
  const type = isTaken ? 'SettleTransfer' : 'ReturnTransfer';
  model.deliveries.push({ userId: from, command: { type, requestId: transferId } });
  return done(1);
}

function deliver(
  account: ModelAccount,
  { type, requestId }: Extract<AccountCommand, { type: 'SettleTransfer' | 'ReturnTransfer' }>,
): Outcome {
  const request = account.requests.get(requestId);
  if (request?.kind !== 'transfer') return refused('request_not_found');
  const goal = type === 'SettleTransfer' ? 'received' : 'returned';
  if (request.delivery === goal) return done(0);
  if (request.delivery !== 'in transit') return refused('request_closed');
  const { currency, amount, converted } = request;
  if (goal === 'returned') {
    if (!takes(account, currency, amount, converted)) return refused('amount_invalid');
    add(account.available, currency, amount, converted);
  }
  request.delivery = goal;
  return done(1);
}

function adjust(
  now: number,
  account: ModelAccount,
  { entries, prices, approval }: Extract<AccountCommand, { type: 'AdjustWallet' }>,
): Outcome {
  const counted = entries.filter(({ amount }) => amount !== 0n);
  if (counted.length === 0) return refused('amount_invalid');
  const after = { available: { ...account.available }, held: account.held };
  for (const { currency, amount } of counted) {
    if (amount > MAX || amount < -MAX) return refused('amount_invalid');
    const converted = (amount * CENT[currency]) / prices[currency];
    if (amount > 0n && !takes(after, currency, amount, converted)) return refused('amount_invalid');
    add(after.available, currency, amount, converted);
    if (after.available.USD < 0n || after.available[currency] < 0n) return lacking(currency);
  }
  if (approval !== undefined) {
    const { by, deciders, expireMs, needed, requestId } = approval;
    if (!deciders.has(by)) return refused('not_permitted');
    if (needed > 1 && account.proposals.has(requestId)) return refused('request_exists');
    const until = now + expireMs;
    const proposal = {
      entries: counted,
      until,
      approvals: [{ by, until, needed }],
      status: 'Pending',
    } as const;
    if (needed > 1) {
      account.proposals.set(requestId, { ...proposal });
      return done(1);
    }
  }
  Object.assign(account.available, after.available);
  return done(counted.length);
}

type BonusCommand = Extract<AccountCommand, { readonly policy: BonusPolicy }>;

function bonus({ now }: WalletModel, account: ModelAccount, command: BonusCommand): Outcome {
  const { policy, type } = command;
  const window = { start: now, end: now + policy.windowDays * DAY, days: 0, updated: now };
  const known = account.bonus;
  if (type === 'StartBonusCycle') {
    if (known !== null || account.status === 'closed') return done(0);
    account.bonus = window;
    return done(1);
  }
  if (type === 'RestartBonusCycle') {
    if (known?.start === window.start && known.end === window.end && known.days === 0) return done(0);
    account.bonus = window;
    return done(1);
  }
  if (type === 'StopBonus') {
    const cycle = known ?? { ...window, end: now };
    const days = Math.max(policy.capDays, (cycle.end - cycle.start) / DAY);
    if (known !== null && known.days >= days) return done(0);
    account.bonus = { ...cycle, days };
    return done(1);
  }
  if (known === null || account.status !== 'active') return done(0);
  if (now < known.updated + policy.everyHours * HOUR) return done(0);
  let days = known.days;
  const most = Math.min(policy.capDays, (known.end - known.start) / DAY);
  while (days < most && known.start + (days + 1) * DAY <= now) days += 1;
  if (days === known.days) return done(0);
  const wallet = account.available.USD + account.held.USD;
  const share = BigInt(Math.round(Number(policy.rate) * 10_000));
  const paid = (wallet * share * BigInt(days - known.days)) / 10_000n;
  const converted = (paid * CENT[policy.currency]) / command.prices[policy.currency];
  if (!takes(account, policy.currency, paid, converted)) return refused('amount_invalid');
  add(account.available, policy.currency, paid, converted);
  account.bonus = { ...known, days, updated: now };
  return done(1);
}

/** True when an account can hold so much more. */
function takes(
  { available, held }: Pick<ModelAccount, 'available' | 'held'>,
  currency: PaymentCurrency,
  cents: bigint,
  converted: bigint,
): boolean {
  return available.USD + held.USD + cents <= MAX && available[currency] + held[currency] + converted <= MAX;
}

/** Cents that can be paid: no more than the wallet and the balance's worth, and none that are nothing in the currency. */
function payableIn(sums: Sums, currency: PaymentCurrency, price: bigint): bigint {
  const worth = (sums[currency] * price) / CENT[currency];
  const cents = worth < sums.USD ? worth : sums.USD;
  return cents * CENT[currency] < price ? 0n : cents;
}

function add(sums: Sums, currency: PaymentCurrency, cents: bigint, converted: bigint): void {
  sums.USD += cents;
  sums[currency] += converted;
}

function lacking(currency: PaymentCurrency): Outcome {
  return refused('insufficient_balance', `Insufficient ${currency} wallet balance!`);
}

function done(events: number): Outcome {
  return { kind: 'done', events };
}

function refused(code: string, words?: string): Outcome {
  return { kind: 'refused', code, ...(words === undefined ? {} : { words }) };
}
