import type { AccountCommand, PaymentCurrency } from '#ledger';

/**
 * The wallet as one would write it on paper: plain maps, no events, and rules of its own. Whatever the program answers
 * and holds must be what this says.
 */
export type ModelCommand = Extract<
  AccountCommand,
  { type: 'OpenAccount' | 'RequestFunding' | 'ConfirmFunding' | 'RejectFunding' | 'AdjustWallet' }
>;

export type WalletModel = {
  readonly accounts: Map<string, ModelAccount>;
  /** Everything that was sent, with what came of it, to be sent again. */
  readonly sent: Sent[];
};

export type ModelAccount = {
  readonly accountNumber: string;
  readonly balances: Record<'USD' | PaymentCurrency, bigint>;
  readonly requests: Map<
    string,
    { status: string; readonly amount: bigint; readonly currency: PaymentCurrency }
  >;
};

export type Sent = {
  readonly userId: string;
  readonly command: ModelCommand;
  readonly key: string;
  /** `done` in so many events, or the code and words of the refusal. */
  readonly outcome: Outcome;
};

export type Outcome =
  | { readonly kind: 'done'; readonly events: number }
  | { readonly kind: 'refused'; readonly code: string; readonly words?: string };

const MAX = 9_223_372_036_854_775_807n;
/** What a cent is in the smallest unit of each currency at a price of 1 dollar, times 10^8, the scale of a price. */
const CENT = { BTC: 10n ** 14n, PI: 10n ** 13n, USDT: 10n ** 12n };

/** A world with nobody in it. */
export function emptyModel(): WalletModel {
  return { accounts: new Map(), sent: [] };
}

/** Carries a command out on paper and says what the program must answer. */
export function apply(model: WalletModel, userId: string, command: ModelCommand): Outcome {
  const account = model.accounts.get(userId);
  if (command.type === 'OpenAccount') {
    if (account !== undefined) {
      return account.accountNumber === command.accountNumber
        ? done(0)
        : refused('account_exists', 'User already exists');
    }
    const balances = { USD: 0n, BTC: 0n, PI: 0n, USDT: 0n };
    model.accounts.set(userId, { accountNumber: command.accountNumber, balances, requests: new Map() });
    return done(1);
  }
  if (account === undefined) return refused('account_not_found');
  if (command.type === 'AdjustWallet') return adjust(account, command);
  const request = account.requests.get(command.requestId);
  if (command.type === 'RequestFunding') {
    const { requestId, amount, currency } = command;
    if (amount <= 0n || amount > MAX) return refused('amount_invalid');
    if (request === undefined) {
      account.requests.set(requestId, { status: 'Pending', amount, currency });
      return done(1);
    }
    return request.amount === amount && request.currency === currency ? done(0) : refused('request_exists');
  }
  if (request === undefined) return refused('request_not_found');
  if (request.status === 'confirmed')
    return refused('request_already_confirmed', 'Transaction already confirmed');
  if (request.status === 'rejected') return refused('request_closed', 'Transaction Closed');
  if (command.type === 'RejectFunding') {
    request.status = 'rejected';
    return done(1);
  }
  const { currency, amount } = request;
  const after = moved(account, currency, amount, command.prices[currency]);
  if ('kind' in after) return after;
  Object.assign(account.balances, after);
  request.status = 'confirmed';
  return done(1);
}

function adjust(
  account: ModelAccount,
  { entries, prices }: Extract<AccountCommand, { type: 'AdjustWallet' }>,
): Outcome {
  const counted = entries.filter(({ amount }) => amount !== 0n);
  if (counted.length === 0) return refused('amount_invalid');
  let after = { ...account.balances };
  for (const { currency, amount } of counted) {
    const next = moved({ balances: after }, currency, amount, prices[currency]);
    if ('kind' in next) return next;
    after = next;
  }
  Object.assign(account.balances, after);
  return done(counted.length);
}

/** The balances after `cents` came in (or went out), or why that can not be. */
function moved(
  { balances }: Pick<ModelAccount, 'balances'>,
  currency: PaymentCurrency,
  cents: bigint,
  price: bigint,
): ModelAccount['balances'] | Outcome {
  if (cents > MAX || cents < -MAX) return refused('amount_invalid');
  const usd = balances.USD + cents;
  const own = balances[currency] + (cents * CENT[currency]) / price;
  if (usd < 0n || own < 0n)
    return refused('insufficient_balance', `Insufficient ${currency} wallet balance!`);
  if (usd > MAX || own > MAX) return refused('amount_invalid');
  return { ...balances, USD: usd, [currency]: own };
}

function done(events: number): Outcome {
  return { kind: 'done', events };
}

function refused(code: string, words?: string): Outcome {
  return { kind: 'refused', code, ...(words === undefined ? {} : { words }) };
}
