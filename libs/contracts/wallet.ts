import { duties } from './duties.js';
import { atMost } from './typed.js';
import { z } from 'zod';
import { paymentCurrenciesIn } from '#ledger';
import {
  accepted,
  amount,
  currency,
  decimal,
  DOLLARS,
  eachCurrency,
  eachPaymentCurrency,
  fileId,
  instant,
  listQuery,
  pageOf,
  paymentCurrency,
  position,
  reason,
  requestId,
  role,
  userId,
} from './common.js';
import { display } from './display.js';
import { evidence } from './files.js';

/** What checks an address by its form and checksum; `none` checks nothing. */
export const walletNetworks = ['bitcoin', 'ethereum', 'tron', 'stellar', 'none'] as const;
export type WalletNetwork = (typeof walletNetworks)[number];

export const walletNetwork = z.enum(walletNetworks);

/** Where withdrawals in one currency go. */
const payout = z.object({
  address: z.string().nullable().meta({ description: 'The address in force; null until there is one' }),
  network: walletNetwork.meta({
    description: 'What it must be an address of. What is sent over another network is lost',
  }),
  next: z
    .object({ address: z.string(), from: instant })
    .nullable()
    .meta({ description: 'Another address that waits, and from when it is in force' }),
});

export const parts = z.object({
  balance: decimal.meta({ description: 'available + held' }),
  available: decimal.meta({ description: 'What can be spent' }),
  held: decimal.meta({ description: 'What open requests have set aside' }),
});

/** What an operator may keep from customers who have not verified their e-mail address. */
export const gatedActs = ['withdraw', 'transfer', 'fund'] as const;
export type GatedAct = (typeof gatedActs)[number];

/** A person as the read model knows them; personal fields read `forgotten` once the person was erased. */
export const account = z.object({
  userId,
  accountNumber: z.string().meta({ description: 'What others send transfers to: 10 digits' }),
  role,
  duty: z
    .enum(duties)
    .optional()
    .meta({ description: 'Of an admin who asks for their own: what they are there for' }),
  status: z
    .enum(['active', 'suspended', 'closed'])
    .meta({ description: 'suspended: may not sign in; closed: for ever' }),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  isEmailVerified: z
    .boolean()
    .meta({ description: 'False from when a link was sent to the e-mail address until it is used' }),
  verifyFirst: z
    .array(z.enum(gatedActs))
    .meta({ description: 'What can’t be asked for before the e-mail address is verified; empty when it is' }),
  phone: z.string(),
  created: instant,
  image: z
    .object({ fileId, mediaType: z.string() })
    .nullable()
    .meta({ description: 'Profile image; null until there is one' }),
  notificationsRead: position
    .nullable()
    .meta({ description: 'Up to where in the log its owner has read the notifications; null: none yet' }),
  preferences: display.meta({ description: 'How numbers, dates and pages are shown to its owner' }),
  walletAddress: z
    .string()
    .nullable()
    .meta({ description: 'Where withdrawals in the first currency that has an address go' }),
  walletAddresses: eachPaymentCurrency(() => payout),
  changeWaitHours: z.int().meta({
    description: 'Hours after which another wallet address than the first is in force',
  }),
  bonus: z
    .object({
      startDate: instant,
      endDate: instant,
      bonusDays: z.int().meta({ description: 'Days of the cycle that are paid' }),
      updatedTime: instant.meta({ description: 'When the cycle began, or the bonus was last paid' }),
    })
    .nullable()
    .meta({ description: 'The cycle of the promotional bonus; null until the first sign-in' }),
  bonusTerms: z
    .object({
      rate: z.string().meta({ description: 'Part of the wallet that one day pays', examples: ['0.10'] }),
      capDays: z.int().meta({ description: 'The most days that one cycle pays' }),
      everyHours: z.int().meta({ description: 'Hours between two payments' }),
      currency: paymentCurrency.meta({ description: 'Which balance it is paid in, beside the wallet' }),
      dueAt: instant.nullable().meta({ description: 'When it pays next; null when the cycle has paid all' }),
    })
    .nullable()
    .meta({ description: 'How the promotional bonus is worked out now; null without a cycle' }),
  moneyOut: z
    .object({
      until: instant,
      why: z.enum(['password_reset', 'email_changed', 'second_factor_removed']),
    })
    .nullable()
    .meta({ description: 'Until when no money leaves the account, and why; null when it may' }),
  wallet: parts.meta({ description: 'US dollars' }),
  balances: eachPaymentCurrency(() => parts),
  amountSpend: decimal.meta({
    description: 'US dollars on their way out: what open withdrawals and transfers have set aside',
  }),
  totalSpent: decimal.meta({
    description: 'US dollars that went out: `totals.withdrawn` and `totals.transferred` together',
  }),
  totals: z.object({
    bonus: decimal.meta({ description: 'US dollars paid as promotional bonus' }),
    funded: decimal.meta({ description: 'US dollars confirmed' }),
    openRequests: z.int().meta({ description: 'Requests that wait for a decision' }),
    requests: z.int().meta({ description: 'Requests ever made' }),
    transferred: decimal.meta({ description: 'US dollars transferred, less what came back' }),
    withdrawn: decimal.meta({ description: 'US dollars paid out' }),
  }),
  sendable: eachPaymentCurrency(() => decimal).meta({
    description: 'The most that can be transferred in each currency now, in US dollars',
  }),
  withdrawable: eachPaymentCurrency(() => decimal).meta({
    description: 'The most that can be withdrawn in each currency now, in US dollars',
  }),
  position,
});
export type AccountView = z.infer<typeof account>;

/** What a request is paid in. */
export const chosenCurrency = z.enum(paymentCurrency.options, `Please choose ${paymentCurrenciesIn('or')}.`);

const VALID_AMOUNT = 'Please enter a valid amount and upload payment evidence.';
const EVIDENCE = 'Please enter a valid upload payment evidence.';
export const fundRequestBody = z.object({
  amount: z
    .string(VALID_AMOUNT)
    .max(64, VALID_AMOUNT)
    .trim()
    .min(1, VALID_AMOUNT)
    .meta({ format: 'decimal', pattern: DOLLARS, description: 'US dollars', examples: ['100.00'] }),
  currency: chosenCurrency.meta({ description: 'What was paid in' }),
  evidenceId: z.string(EVIDENCE).max(64, EVIDENCE).meta({
    description:
      'The `fileId` of the uploaded payment evidence, which serves one request that is open or confirmed',
  }),
  depositAddress: z.string().max(200, atMost(200)).optional().meta({
    description:
      'The address that was shown to pay to. The request is refused when another one is in force; left out, that one is kept',
  }),
});
export type FundRequestBody = z.infer<typeof fundRequestBody>;
export const fundRequestAnswer = accepted.extend({ requestId, status: z.literal('Pending') });
export type FundRequestAnswer = z.infer<typeof fundRequestAnswer>;

export const requestStatus = z.enum(['Pending', 'confirmed', 'rejected']);
export type RequestStatus = z.infer<typeof requestStatus>;

/** Who decided a request, when and why. */
export const decision = z.object({
  at: instant,
  by: z.string().meta({ description: 'Name of the admin who decided' }),
  reason: z.string().optional(),
  price: decimal.optional().meta({ description: 'US dollars for one unit of `currency`' }),
  converted: decimal.optional().meta({ description: 'What was booked in `currency`' }),
});

/** What every request of a customer shows, with the names of those it is about. */
export const anyRequest = z.object({
  id: requestId,
  userId,
  userRole: z.literal('user').meta({ description: 'Role of whose it is: customers alone ask' }),
  customer: z.string().meta({ description: 'Full name' }),
  email: z.string(),
  accountNumber: z.string(),
  amount: decimal.meta({ description: 'US dollars' }),
  currency: paymentCurrency,
  status: requestStatus,
  closed: z.boolean().meta({ description: 'It is decided: nothing changes it any more' }),
  confirmedAt: instant.nullable().meta({ description: 'null unless it was confirmed' }),
  createdAt: instant,
  decision: decision.nullable().meta({ description: 'null until it is decided' }),
  approvals: z.object({ given: z.int(), needed: z.int() }).nullish().meta({
    description:
      'How many of the admins it takes have approved it; null of one that nobody did, and of a closed one',
  }),
  position,
});

export const fundRequest = anyRequest.extend({
  type: z.literal('Funding'),
  loanPurpose: z.literal('Funding').meta({ description: 'What it is asked for' }),
  address: z.string().nullable().meta({
    description: 'Where deposits in `currency` went when it was asked for; null while no address was set',
  }),
  convertedAmount: z.string().meta({ description: 'Always 0: nothing is paid out' }),
  evidence,
});
export type FundRequestView = z.infer<typeof fundRequest>;
export const fundRequestPage = pageOf(fundRequest);

/** Where else the file that is a request's evidence was used as such. */
export const evidenceUses = z.object({
  items: z.array(
    anyRequest
      .pick({ userId: true, customer: true, amount: true, currency: true, status: true, createdAt: true })
      .extend({ requestId: anyRequest.shape.id }),
  ),
  hasMore: z.boolean().meta({ description: 'Whether there are more than are told' }),
});
export type EvidenceUses = z.infer<typeof evidenceUses>;
export type FundRequestPage = z.infer<typeof fundRequestPage>;
export const fundRequestQuery = listQuery.extend({
  status: requestStatus.optional(),
  currency: paymentCurrency.optional(),
});

export const decisionAnswer = accepted.extend({ requestId, status: requestStatus });
export type DecisionAnswer = z.infer<typeof decisionAnswer>;

export const adjustmentBody = z.object({
  amounts: z
    .partialRecord(paymentCurrency, amount)
    .meta({ description: 'US dollars per currency; negative debits, zero is skipped' }),
  reason,
});
export const adjustmentAnswer = accepted.extend({
  waiting: z
    .object({ requestId, given: z.int(), needed: z.int() })
    .optional()
    .meta({ description: 'It waits for other admins and has moved nothing; left out once it is booked' }),
});

export const prices = z.object({
  prices: eachPaymentCurrency(() => decimal).meta({ description: 'US dollars for one unit' }),
  setAt: eachPaymentCurrency(() => instant.nullable()).meta({
    description: 'When each was set; null before, and while that is not known',
  }),
});

export type PricesView = z.infer<typeof prices>;

export const posting = z.object({
  account: z
    .string()
    .meta({ description: 'A place of the chart of accounts, such as `customer/{id}/available`' }),
  currency,
  amount: decimal.meta({ description: 'Signed; those of an event add up to zero in each currency' }),
});

export const whyQuery = z.object({
  before: z.coerce.number().int().min(0).optional().meta({ description: 'Only events before this revision' }),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
/** Why a balance is what it is: the events that moved it, newest first, each with what it left behind. */
export const why = z.object({
  userId,
  stream: z.string().meta({ description: 'Where in the log the events are' }),
  currency,
  balance: decimal.meta({ description: 'available + held, now' }),
  available: parts.shape.available,
  held: parts.shape.held,
  revision: z.int().meta({ description: 'Last event of the stream that this answer knows' }),
  entries: z.array(
    z.object({
      eventId: z.string(),
      type: z.string().meta({ description: 'The type of the event' }),
      revision: z.int().meta({ description: 'Its number in the stream, from 0' }),
      position: position.optional(),
      at: instant,
      change: decimal.meta({ description: 'Of available + held; signed' }),
      heldChange: decimal.meta({ description: 'Of held alone; signed' }),
      balanceAfter: decimal.meta({ description: 'available + held, right after the event' }),
      postings: z.array(posting),
      actor: z.object({ id: z.string(), role: z.string(), name: z.string() }),
      reason: z.string().optional(),
      requestId: requestId.optional(),
      currency: paymentCurrency.optional().meta({ description: 'What it was paid in' }),
      price: decimal.optional().meta({ description: 'US dollars for one unit of `currency`' }),
      chain: z.string().meta({ description: 'Hash of the event and of all before it in the stream' }),
    }),
  ),
  before: z.int().nullable().meta({ description: 'Ask with this `before` for older ones' }),
  chainVerified: z
    .boolean()
    .meta({ description: 'The hash chain over every event read for this answer holds' }),
});
export type Why = z.infer<typeof why>;

export const totals = z.object({
  users: z.int().meta({ description: 'Customers whose accounts are not closed' }),
  funding: decimal.meta({ description: 'US dollars confirmed' }),
  withdrawn: decimal.meta({ description: 'US dollars paid out' }),
  bonus: decimal.meta({ description: 'US dollars paid as promotional bonus' }),
  confirmedRequests: z.int().meta({ description: 'Fund requests and withdrawals that were confirmed' }),
  pendingFunding: z.int(),
  pendingTransfers: z.int(),
  pendingWithdrawals: z.int(),
  pendingWithdrawalAmount: decimal.meta({ description: 'US dollars that open withdrawals ask for' }),
  balances: eachCurrency(() => decimal).meta({ description: 'What all customers have, available + held' }),
  position,
});
export type Totals = z.infer<typeof totals>;
