import { expect } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { chainHolds, chainStart, invariant, isLodeError, logStart, type RecordedEvent } from '#kernel';
import type { EventStore } from '#event-store';
import { checkLog } from '#event-store/testing';
import { createExecutor, createStateCache } from '#commands';
import {
  apply,
  emptyModel,
  type ModelAccount,
  type ModelRequest,
  type Outcome,
  type Sent,
  type WalletModel,
} from './wallet-model.js';
import { contextOf } from './tally.js';
import type { Executor } from '../command.js';
import {
  accountDecider,
  accountStream,
  availableOf,
  convertToUsd,
  currencies,
  heldOf,
  noAmounts,
  paymentCurrencies,
  postingsOf,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type ApprovalRule,
  type OpenAccount,
  type Prices,
} from '#ledger';
import { accountCommand, adjusting, fundingOf, pricesOf } from '#ledger/testing';

type Accounts = Executor<AccountCommand, AccountEvent, Account>;

const MAX_COMMANDS = 100;
const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 60 * 60 * 1_000;
/** The first two have money from the beginning; of the third nobody knows anything. */
const users = ['u1', 'u2', 'u3'] as const;

/** The program under test: two of them on one log, and what the log says on its own. */
type Program = {
  readonly store: EventStore;
  readonly programs: Accounts[];
  readonly books: Books;
  /** Both programs' clock. */
  readonly time: { now: number };
};

/** A program that remembers streams of so many bytes; with a budget of 1 it is the last one alone. */
function start(store: EventStore, time: { readonly now: number }, cacheBytes?: number): Accounts {
  const cache = createStateCache({ bytes: cacheBytes });
  return createExecutor({ store, decider: accountDecider, clock: () => time.now, cache });
}

/** The trial balance, kept from the postings in the log and nothing else; `read` takes in and checks what is new in it. */
type Books = {
  /** The streams of the new events. */
  read(store: EventStore): Promise<readonly string[]>;
  balanceOf(account: string, currency: string): bigint;
  total(currency: string): bigint;
};

function openBooks(): Books {
  const balances = new Map<string, bigint>();
  const heads = new Map<string, RecordedEvent>();
  let position = logStart;
  return {
    async read(store) {
      const events = await store.readAll(position, 1_000);
      for (const event of events) {
        const before = heads.get(event.stream);
        invariant(event.revision === (before?.revision ?? -1) + 1, 'revisions have no gap');
        invariant(chainHolds(before?.meta.chain ?? chainStart, event), 'the chain holds');
        heads.set(event.stream, event);
        position = event.position;
        if (!(event.type in accountDecider.codecs.versions)) continue;
        for (const { account, currency, amount } of postingsOf(accountDecider.codecs.decode(event))) {
          const key = `${account} ${currency}`;
          balances.set(key, (balances.get(key) ?? 0n) + amount);
        }
      }
      return events.map(({ stream }) => stream);
    },
    balanceOf: (account, currency) => balances.get(`${account} ${currency}`) ?? 0n,
    total: (currency) =>
      [...balances]
        .filter(([key]) => key.endsWith(` ${currency}`))
        .reduce((sum, [, amount]) => sum + amount, 0n),
  };
}

/** What must be true after every step, whatever it was: `changed` is whose account has so many more events. */
async function checkEverything(
  model: WalletModel,
  { store, programs, books }: Program,
  changed: readonly string[],
  appended: number,
): Promise<void> {
  // What was refused or done before leaves the log as it was, and nobody else's account has another event.
  const streams = Array.from({ length: appended }, () => accountStream(changed[0]!));
  must('new events in the log', await books.read(store), streams);
  const transit = inTransit(model);
  for (const currency of currencies) {
    must(`the trial balance in ${currency}`, books.total(currency), 0n);
    must(`what is in transit in ${currency}`, books.balanceOf('transit', currency), transit[currency]);
  }
  for (const userId of changed) {
    const expected = model.accounts.get(userId);
    for (const program of programs) {
      const { state } = await program.load(accountStream(userId));
      must(`${userId} is there`, state.kind === 'open', expected !== undefined);
      if (state.kind === 'none' || expected === undefined) continue;
      must(`the account of ${userId}`, plainOf(state), expectedOf(expected));
      checkMoney(books, userId, state);
    }
  }
}

/** The balances are what the postings add up to, not below zero, and held is what open requests have set aside. */
function checkMoney(books: Books, userId: string, { available, held, requests }: OpenAccount): void {
  const aside = { ...noAmounts };
  for (const request of requests.values()) {
    if (request.status !== 'Pending' || request.kind === 'funding') continue;
    aside.USD += request.amount;
    aside[request.currency] += request.converted;
  }
  must(`what ${userId} has set aside`, held, aside);
  for (const currency of currencies) {
    must('what the postings add up to', books.balanceOf(availableOf(userId), currency), available[currency]);
    must('what the holds add up to', books.balanceOf(heldOf(userId), currency), held[currency]);
    must('a balance below zero', available[currency] < 0n || held[currency] < 0n, false);
  }
}

/** What has left its sender, and has neither reached its receiver nor come back. */
function inTransit({ accounts }: WalletModel) {
  const sums = { ...noAmounts };
  for (const { requests } of accounts.values()) {
    for (const [id, { delivery, to, currency, amount, converted }] of requests) {
      if (delivery !== 'in transit' || accounts.get(to ?? '')?.incoming.get(id) === 'received') continue;
      sums.USD += amount;
      sums[currency] += converted;
    }
  }
  return sums;
}

function plainOf({ requests, proposals, evidence, incoming, image, ...state }: OpenAccount) {
  return {
    ...state,
    fileId: image?.fileId ?? null,
    requests: requests.toObject(),
    proposals: proposals.toObject(),
    evidence: evidence.toObject(),
    incoming: incoming.toObject(),
  };
}

/** What is on paper, in the program's terms. */
function expectedOf(account: ModelAccount): unknown {
  const { bonus, requests, proposals, incoming, waits, addresses, left, ...same } = account;
  const iso = (instant: number) => new Date(instant).toISOString();
  const pendingOf = (kind: ModelRequest['kind']) =>
    [...requests.values()].filter((one) => one.kind === kind && one.status === 'Pending').length;
  return {
    ...same,
    kind: 'open',
    addresses: Object.fromEntries(
      [...addresses].map(([slot, { now, next, from, isShared }]) => [
        slot,
        {
          address: now,
          next: next === null ? null : { address: next, from: iso(from) },
          ...(isShared ? { isShared } : {}),
        },
      ]),
    ),
    addressesLeft: Object.fromEntries(
      [...left].map(([slot, ones]) => [slot, ones.map(({ address, at }) => ({ address, at: iso(at) }))]),
    ),
    moneyOut: waits && { until: iso(waits.until), why: waits.why },
    bonus: bonus && {
      startDate: iso(bonus.start),
      endDate: iso(bonus.end),
      bonusDays: bonus.days,
      updatedTime: iso(bonus.updated),
    },
    requests: Object.fromEntries([...requests].map(([id, request]) => [id, requestOf(request)])),
    proposals: Object.fromEntries(
      [...proposals].map(([id, { until, approvals, ...proposal }]) => [
        id,
        { ...proposal, until: iso(until), approvals: approvalsOf(approvals) },
      ]),
    ),
    evidence: Object.fromEntries(
      [...requests.values()].flatMap(({ status, evidence }) =>
        evidence === null || status === 'rejected' ? [] : [[evidence, 1]],
      ),
    ),
    incoming: Object.fromEntries(incoming),
    open: {
      funding: pendingOf('funding'),
      withdrawal: pendingOf('withdrawal'),
      transfer: pendingOf('transfer'),
    },
  };
}

function approvalsOf(approvals: ModelRequest['approvals']): unknown {
  return approvals.map(({ by, until, needed }) => ({ by, until: new Date(until).toISOString(), needed }));
}

function requestOf(request: ModelRequest): unknown {
  const { kind, status, amount, currency, delivery, to } = request;
  const approvals = request.approvals.length > 0 ? { approvals: approvalsOf(request.approvals) } : {};
  const asked = { kind, status, amount, currency, ...approvals };
  if (kind === 'funding') return { ...asked, evidence: request.evidence };
  const holding = {
    ...asked,
    converted: request.converted,
    price: request.price,
  };
  if (kind === 'withdrawal') return holding;
  const receiver = to === null ? null : { userId: to, accountNumber: numberOf(to) };
  return { ...holding, delivery, receiver };
}

function numberOf(userId: string): string {
  return `300000000${userId.slice(1)}`;
}

/** Like `expect(actual).toEqual(expected)`, which takes a minute for what this model checks millions of times. */
function must(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect({ [what]: actual }).toEqual({ [what]: expected });
}

/** What a program answers to a command, in the model's words. */
async function answerOf(
  execution: ReturnType<Accounts['execute']>,
): Promise<Outcome & { readonly replayed?: boolean }> {
  try {
    const { events, replayed } = await execution;
    return { kind: 'done', events: events.length, replayed };
  } catch (error) {
    if (!isLodeError(error)) throw error;
    return { kind: 'refused', code: error.code, words: error.message };
  }
}

type Step = fc.AsyncCommand<WalletModel, Program>;
type Letter = Pick<Sent, 'userId' | 'command' | 'key'>;

/**
 * Sends a command through one of the programs. What its key has done already is answered the same and does nothing; what
 * was refused, or had nothing to do, is decided anew, and may be done this time.
 */
async function dispatch(
  model: WalletModel,
  program: Program,
  { userId, command, key }: Letter,
  via: number,
): Promise<void> {
  const first = model.sent.get(key)?.outcome;
  const wasDone = first?.kind === 'done' && first.events > 0;
  const outcome = wasDone ? first : apply(model, userId, command);
  model.sent.set(key, { userId, command, key, outcome });
  const answer = await answerOf(
    program.programs[via]!.execute(accountStream(userId), command, contextOf(key)),
  );
  const expected = outcome.kind === 'done' ? { ...outcome, replayed: wasDone } : outcome;
  if (!Object.entries(expected).every(([name, value]) => answer[name as keyof typeof answer] === value))
    expect({ command, answer }).toEqual({ command, answer: expected });
  await checkEverything(model, program, [userId], !wasDone && outcome.kind === 'done' ? outcome.events : 0);
}

/** A customer, an admin or a job sends something new. */
function send(userId: string, command: AccountCommand, via: number): Step {
  return {
    check: () => true,
    run: (model, program) =>
      dispatch(model, program, { userId, command, key: `key ${model.sent.size}` }, via),
    toString: () => `${userId} via ${via}: ${fc.stringify(command)}`,
  };
}

/** A client that heard nothing sends something again. */
function sendAgain(which: number, via: number): Step {
  const sendable = (model: WalletModel) => [...model.sent.values()].filter((one) => !isUnfounded(model, one));
  return {
    check: (model) => sendable(model).length > 0,
    run: (model, program) => {
      const sent = sendable(model);
      return dispatch(model, program, sent[which % sent.length]!, via);
    },
    toString: () => `again via ${via}: number ${which}`,
  };
}

/**
 * A reactor sends what follows from an event: the first time or again, late, in any order. After its own state was
 * thrown away it has the same ids; `stranger` has others, as another program might.
 */
function deliver(which: number, stranger: boolean, via: number): Step {
  return {
    check: (model) => model.deliveries.length > 0,
    run: (model, program) => {
      const index = model.deliveries.length - 1 - (which % model.deliveries.length);
      const key = stranger ? `key ${model.sent.size}` : `delivery ${index}`;
      return dispatch(model, program, { ...model.deliveries[index]!, key }, via);
    },
    toString: () => `delivery ${which}${stranger ? ' by a stranger' : ''} via ${via}`,
  };
}

/** An admin decides one of the requests that are open. */
function decideOpen(
  which: number,
  verdict: 'Confirm' | 'Reject',
  rule: { readonly approval?: ApprovalRule },
  at: Prices,
  via: number,
): Step {
  const openIn = ({ accounts }: WalletModel) =>
    [...accounts].flatMap(([userId, { requests }]) =>
      [...requests]
        .filter(([, { status }]) => status === 'Pending')
        .map(([requestId, { kind }]) => ({ userId, requestId, kind })),
    );
  return {
    check: (model) => openIn(model).length > 0,
    run(model, program) {
      const open = openIn(model);
      const { userId, requestId, kind } = open[which % open.length]!;
      const command: AccountCommand = { type: decisionOf[verdict][kind], requestId, prices: at, ...rule };
      return dispatch(model, program, { userId, command, key: `key ${model.sent.size}` }, via);
    },
    toString: () => `${verdict} open request ${which} via ${via}`,
  };
}

/** An admin rejects what is open, pays out what can be paid at these prices, and closes the account. */
function closeDown(userId: string, at: Prices, via: number): Step {
  return {
    check: ({ accounts }) => accounts.get(userId)?.status === 'active',
    async run(model, program) {
      const { requests, available } = model.accounts.get(userId)!;
      const rejections = [...requests]
        .filter(([, { status }]) => status === 'Pending')
        .map(([requestId, { kind }]) => ({ type: decisionOf.Reject[kind], requestId, prices: at }));
      const put = (command: AccountCommand) =>
        dispatch(model, program, { userId, command, key: `key ${model.sent.size}` }, via);
      for (const rejection of rejections) await put(rejection);
      for (const one of paymentCurrencies) {
        const worth = convertToUsd(available[one], one, at[one]);
        const payable = worth < available.USD ? worth : available.USD;
        await put({ type: 'AdjustWallet', entries: [{ currency: one, amount: -payable }], prices: at });
      }
      await put({ type: 'ForgetPerson', prices: at });
    },
    toString: () => `close ${userId} via ${via}`,
  };
}

/** A key that did something comes with another request. */
function reuseKey(which: number, via: number): Step {
  const usedIn = ({ sent }: WalletModel) =>
    [...sent.values()].filter(({ outcome }) => outcome.kind === 'done' && outcome.events > 0);
  return {
    check: (model) => usedIn(model).length > 0,
    async run(model, program) {
      const used = usedIn(model);
      const { userId, command, key } = used[which % used.length]!;
      const context = contextOf(key, 'other');
      const answer = await answerOf(program.programs[via]!.execute(accountStream(userId), command, context));
      expect(answer).toMatchObject({ kind: 'refused', code: 'idempotency_key_reused' });
      await checkEverything(model, program, [userId], 0);
    },
    toString: () => `key reused via ${via}: number ${which}`,
  };
}

/** One of the programs stops and starts; it may be one that remembers almost nothing. */
function restart(via: number, forgetful: boolean): Step {
  return {
    check: () => true,
    async run(model, program) {
      program.programs[via] = start(program.store, program.time, forgetful ? 1 : undefined);
      await checkEverything(model, program, users, 0);
    },
    toString: () => `restart ${via}${forgetful ? ', forgetful' : ''}`,
  };
}

/** Time passes; now and then the clock is set back. */
function wait(hours: number): Step {
  return {
    check: () => true,
    run(model, { time }) {
      model.now += hours * HOUR_MS;
      time.now = model.now;
      return Promise.resolve();
    },
    toString: () => `${hours} hours`,
  };
}

/** Amounts that people use, so that many commands are taken and balances meet each other. */
const cents = fc.oneof(fc.bigInt({ min: -20_000n, max: 20_000n }), fc.constantFrom(-10_000n, 10_000n, 0n));
const amount = fc.oneof(fc.bigInt({ min: 1n, max: 50_000n }), fc.constantFrom(99_900n, 100_000n, 100n));
const currency = fc.constantFrom('BTC', 'PI', 'USDT' as const);
const prices = fc.constantFrom(
  pricesOf(),
  pricesOf({ BTC: '60000.12345678', PI: '3', USDT: '0.99999999' }),
  pricesOf({ BTC: '0.00000001', PI: '7.77', USDT: '1' }),
);
const policy = fc.constantFrom(
  { rate: '0.10', windowDays: 7, everyHours: 7, capDays: 7, currency: 'USDT' } as const,
  { rate: '0.0001', windowDays: 2, everyHours: 24, capDays: 10, currency: 'BTC' } as const,
);
const sealed = fc.constantFrom('sealed 1', 'sealed 2');
/** Three admins, one of whom may have lost the right to decide; approvals count for some hours. */
const approval = fc.record({
  by: fc.constantFrom('a1', 'a2', 'a3'),
  needed: fc.constantFrom(1, 2, 2, 3),
  deciders: fc.constantFrom(new Set(['a1', 'a2', 'a3']), new Set(['a1', 'a2', 'a3']), new Set(['a1', 'a2'])),
  expireMs: fc.constantFrom(10 * HOUR_MS, 72 * HOUR_MS),
});
const decisionOf = {
  Confirm: { funding: 'ConfirmFunding', withdrawal: 'ConfirmWithdrawal', transfer: 'ConfirmTransfer' },
  Reject: { funding: 'RejectFunding', withdrawal: 'RejectWithdrawal', transfer: 'RejectTransfer' },
} as const;
const decisions = Object.values(decisionOf).flatMap((of) => Object.values(of));

/** What people and jobs do to a customer's account; a request's id is one of a few of the customer's own. */
function everyday(userId: string): fc.Arbitrary<AccountCommand> {
  const requestId = fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5', 'r6').map((id) => `${userId}-${id}`);
  const to = fc.constantFrom(...users).map((one) => ({ userId: one, accountNumber: numberOf(one) }));
  const person = fc.constantFrom('Suspend', 'Activate', 'Activate', 'Activate' as const);
  const cycle = ['StartBonusCycle', 'RestartBonusCycle', 'StopBonus'] as const;
  const entries = fc.array(fc.record({ currency, amount: cents }), { maxLength: 3 });
  // Any of these files is asked with again and again.
  const evidence = fc.constantFrom('1', '2', '3', '4').map((id) => fundingOf(id, '1.00', 'BTC').evidence);
  const type = <Type extends AccountCommand['type']>(one: Type) => fc.constant(one);
  return fc.oneof(
    fc.record({
      type: type('RequestFunding'),
      requestId,
      amount,
      currency,
      evidence,
      depositAddress: fc.constantFrom(null, 'bc1qdeposits'),
    }),
    {
      weight: 3,
      arbitrary: fc.record({
        type: type('RequestWithdrawal'),
        requestId,
        amount,
        currency,
        prices,
        rate: fc.constantFrom(null, 155_050_000_000n),
        address: fc.option(sealed, { freq: 1 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: type('RequestTransfer'),
        requestId,
        transferType: fc.constant('local' as const),
        receiver: fc.option(to, { nil: null, freq: 5 }),
        amount,
        currency,
        prices,
        details: sealed,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record(
        { type: fc.constantFrom(...decisions), requestId, prices, approval },
        { requiredKeys: ['type', 'requestId', 'prices'] },
      ),
    },
    fc.record({ type: type('AdjustWallet'), entries, prices }),
    {
      weight: 3,
      arbitrary: fc.record({ approval, requestId }).chain(({ approval: rule, requestId: id }) =>
        fc.record({
          type: type('AdjustWallet'),
          entries,
          prices,
          approval: fc.constant({ ...rule, requestId: id }),
        }),
      ),
    },
    { weight: 3, arbitrary: fc.record({ type: type('ApproveAdjustment'), requestId, prices, approval }) },
    fc.record({ type: type('RejectAdjustment'), requestId }),
    fc.record({ type: person, prices }),
    fc.record({ type: fc.constantFrom(...cycle), policy, prices }),
    { weight: 3, arbitrary: fc.record({ type: type('AccrueBonus'), policy, prices }) },
    fc.record({ type: type('ChangeProfile'), profile: sealed }),
    fc.record({ type: type('VerifyEmail') }),
    // An address has to be there before another one waits, and that before it can be canceled.
    {
      weight: 4,
      arbitrary: fc.record({
        type: type('SaveWalletAddress'),
        address: sealed,
        currency: fc.option(currency, { nil: undefined }),
        unfit: fc.array(sealed, { maxLength: 2 }),
        waitMs: fc.constantFrom(0, 6 * HOUR_MS),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        type: type('CancelWalletAddress'),
        currency: fc.option(currency, { nil: undefined }),
      }),
    },
    fc.record({
      type: type('DelayMoneyOut'),
      why: fc.constant('password_reset'),
      waitMs: fc.integer({ min: 0, max: 6 * HOUR_MS }),
    }),
  );
}

/** Any command at all; the ids of its requests made the customer's own, as those of a program are. */
function outlandish(userId: string): fc.Arbitrary<AccountCommand> {
  return accountCommand()
    .filter(({ type }) => type !== 'OpenAccount' && type !== 'ReceiveTransfer')
    .map((command) => {
      const own = 'requestId' in command ? { requestId: `${userId}-${command.requestId}` } : {};
      const receiver =
        'receiver' in command && command.receiver !== null ? command.receiver.userId : undefined;
      const to =
        receiver === undefined ? {} : { receiver: { userId: receiver, accountNumber: numberOf(receiver) } };
      return { ...command, ...own, ...to };
    });
}

/** That a transfer on its way arrived, or could not, though no event of its receiver tells so: nobody sends that. */
function isUnfounded(model: WalletModel, { userId, command }: Pick<Letter, 'userId' | 'command'>): boolean {
  if (command.type !== 'SettleTransfer' && command.type !== 'ReturnTransfer') return false;
  const isOnItsWay = model.accounts.get(userId)?.requests.get(command.requestId)?.delivery === 'in transit';
  return isOnItsWay && !model.deliveries.some((one) => isDeepStrictEqual(one, { userId, command }));
}

function sendOutlandish(userId: string, command: AccountCommand, via: number): Step {
  return { ...send(userId, command, via), check: (model) => !isUnfounded(model, { userId, command }) };
}

function opening(userId: string, role: 'user' | 'admin' = 'user'): AccountCommand {
  const isUnverified = userId === users[0];
  const asked = isUnverified ? { isUnverified, accepted: { terms: '1' } } : {};
  return {
    type: 'OpenAccount',
    userId,
    accountNumber: numberOf(userId),
    role,
    profile: 'sealed 0',
    ...asked,
  };
}

/**
 * What may happen next. The shares are such that an account lives for a while and each of its events comes up dozens
 * of times in all runs; what ends it is rare.
 */
function stepOf(): fc.Arbitrary<Step> {
  const user = fc.constantFrom(...users);
  const via = fc.nat({ max: 1 });
  const role = fc.constantFrom('user', 'user', 'admin' as const);
  const daily = user.chain((userId) => fc.tuple(fc.constant(userId), everyday(userId), via));
  const odd = user.chain((userId) => fc.tuple(fc.constant(userId), outlandish(userId), via));
  const hours = fc.constantFrom(1, 8, 24, 100, 24 * 8, -3);
  const verdict = fc.constantFrom('Confirm', 'Confirm', 'Reject' as const);
  const rules = fc.record({ approval }, { requiredKeys: [] });
  const share = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
  return fc.oneof(
    share(
      3,
      fc.tuple(user, role, via).map(([userId, as, one]) => send(userId, opening(userId, as), one)),
    ),
    share(
      20,
      daily.map((step) => send(...step)),
    ),
    share(
      3,
      odd.map((step) => sendOutlandish(...step)),
    ),
    share(
      8,
      fc.tuple(fc.nat(), verdict, rules, prices, via).map((step) => decideOpen(...step)),
    ),
    share(
      8,
      fc.tuple(fc.nat({ max: 5 }), fc.boolean(), via).map((step) => deliver(...step)),
    ),
    share(4, hours.map(wait)),
    share(
      1,
      fc.tuple(user, prices, via).map((step) => closeDown(...step)),
    ),
    share(
      3,
      fc.tuple(fc.nat(), via).map((step) => sendAgain(...step)),
    ),
    share(
      3,
      fc.tuple(fc.nat(), via).map((step) => reuseKey(...step)),
    ),
    share(
      3,
      fc.tuple(via, fc.boolean()).map((step) => restart(...step)),
    ),
  );
}

/** A world in which two customers have money. */
async function begin(store: EventStore): Promise<{ model: WalletModel; real: Program }> {
  const time = { now: START };
  const model = emptyModel(START);
  const real = { store, programs: [start(store, time), start(store, time)], books: openBooks(), time };
  for (const userId of users.slice(0, 2)) {
    const first: readonly AccountCommand[] = [
      opening(userId),
      { type: 'SaveWalletAddress', address: 'sealed 1' },
      ...(['BTC', 'PI', 'USDT'] as const).map((one) => adjusting(one, '500.00')),
    ];
    for (const command of first)
      await dispatch(model, real, { userId, command, key: `key ${model.sent.size}` }, 0);
  }
  return { model, real };
}

/**
 * Random histories of commands to the wallet, beside a model of it: it answers and holds what the model says, after every
 * command. `open` gives an empty log for each. Gives the types of events that came up.
 */
export async function checkHistories(
  open: () => Promise<EventStore>,
  runs: number,
): Promise<ReadonlySet<string>> {
  const happened = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.commands([stepOf()], { maxCommands: MAX_COMMANDS, size: 'max' }),
      async (commands) => {
        const store = await open();
        try {
          const world = await begin(store);
          await fc.asyncModelRun(() => world, commands);
          await checkEverything(world.model, world.real, users, 0);
          for (const { type } of await checkLog(store)) happened.add(type);
        } finally {
          await store.close();
        }
      },
    ),
    { numRuns: runs },
  );
  return happened;
}
