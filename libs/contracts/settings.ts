import { z } from 'zod';
import {
  APPROVAL_LIMITS,
  BONUS_POLICY_LIMITS,
  BONUS_RATE,
  depositAddressFields,
  depositFieldOf,
  depositFields,
  paymentCurrencies,
  recordOf,
} from '#ledger';
import { content, contentChanges, contentPages } from './content/index.js';
import {
  accepted,
  amount,
  decimal,
  eachPaymentCurrency,
  instant,
  paymentCurrency,
  position,
  reason,
} from './common.js';
import { EMAIL_MAX, emailAddress, typedLine, typedText, WRONG_EMAIL } from './typed.js';
import { prices, walletNetwork } from './wallet.js';

/** Shown where an admin has set no dollar rate (specification, section 8). */
export const NO_DOLLAR_RATE = 'No rate available. Please set one.';

const unset = z.string().nullable().meta({ description: 'null until set' });

export const contact = z.object({ phoneNumber: unset, email: unset, contactAddress: unset });
export type Contact = z.infer<typeof contact>;

export const depositAddresses = z.object({
  addresses: eachPaymentCurrency(() => unset).meta({
    description: 'Where a deposit in each currency goes',
  }),
  networks: eachPaymentCurrency(() => walletNetwork).meta({
    description:
      'What a deposit in each currency is to be sent over. What is sent over another network is lost; `none` where the ' +
      'address is of none that Lode knows',
  }),
});
export type DepositAddresses = z.infer<typeof depositAddresses>;

export const dollarRate = z.object({
  rate: decimal
    .nullable()
    .meta({ description: 'Units of the payout currency for one US dollar; null until set' }),
  message: z.string().nullable().meta({ description: 'What to show where there is no rate' }),
});
export type DollarRate = z.infer<typeof dollarRate>;

const ADDRESS = 'A wallet address has no blanks.';
const NO_BLANKS = /^[\x21-\x7e]*$/;
const REMOVES = 'null removes it';
const walletAddress = typedLine(128).regex(NO_BLANKS, ADDRESS).meta({ pattern: NO_BLANKS.source });

export const depositDetailsBody = z.object({
  phoneNumber: typedLine(40).nullish().meta({ description: REMOVES }),
  email: z
    .union([z.literal(''), typedLine(EMAIL_MAX).pipe(emailAddress()), z.null()], WRONG_EMAIL)
    .optional()
    .meta({ description: REMOVES }),
  contactAddress: typedText(500).nullish().meta({ description: REMOVES }),
  ...recordOf(depositAddressFields, (field) =>
    walletAddress.nullish().meta({
      description: `Takes ${paymentCurrencies.filter((code) => depositFieldOf[code] === field).join(' and ')}; ${REMOVES}`,
    }),
  ),
  reason,
});
export type DepositDetailsBody = z.infer<typeof depositDetailsBody>;

const RATE = 'Please enter a rate above 0 with at most 8 decimals.';
export const dollarRateBody = z.object({
  rate: z
    .string(RATE)
    .trim()
    .regex(/^(?:\d{1,16}(?:\.\d{1,8})?)?$/, RATE)
    .meta({ description: 'An empty one changes nothing', examples: ['0.925'] }),
  reason,
});

const PRICE = 'Please enter a price above 0 with at most 8 decimals.';
export const pricesBody = z.object({
  prices: z
    .partialRecord(
      paymentCurrency,
      z
        .string(PRICE)
        .trim()
        .regex(/^\d{1,16}(?:\.\d{1,8})?$/, PRICE),
    )
    .meta({
      description:
        'US dollars for one unit, from 0.0001 to 1000000000; a currency that is left out keeps its price',
    }),
  reason,
});

const whole = ({ min, max }: { readonly min: number; readonly max: number }) => {
  const message = `Please enter a whole number from ${min} to ${max}.`;
  return z.int(message).min(min, message).max(max, message);
};
export const bonusPolicy = z.object({
  rate: z
    .string()
    .trim()
    .regex(BONUS_RATE, 'Please enter a bonus rate from 0 to 1 with at most 4 decimals.')
    .meta({ description: 'Part of the wallet that one day earns', examples: ['0.10'] }),
  windowDays: whole(BONUS_POLICY_LIMITS.windowDays).meta({
    description: 'Days from a cycle’s start to its end',
  }),
  everyHours: whole(BONUS_POLICY_LIMITS.everyHours).meta({
    description: 'Hours between two payments of an account',
  }),
  capDays: whole(BONUS_POLICY_LIMITS.capDays).meta({ description: 'The most days that one cycle pays' }),
  currency: paymentCurrency.meta({ description: 'Which balance it is paid in, beside the wallet' }),
});
export const bonusPolicyBody = z.object({ policy: bonusPolicy, reason });

export const contentBody = z.object({
  content: contentChanges.meta({
    description: 'Sections to replace; null brings a section’s default back, one left out stays as it is',
    'x-like': 'content',
  }),
  reason: reason.optional(),
});
export type ContentBody = z.infer<typeof contentBody>;

export const contentPreviewBody = z.object({
  page: z.enum(contentPages).meta({ description: 'Which page of the site' }),
  content: contentBody.shape.content,
});
/** A page with texts that nobody has saved. */
export const contentPreview = z.object({
  page: contentPreviewBody.shape.page,
  html: z.string().nullable().meta({
    description:
      'The page as a visitor would get it, but for its scripts; null where there would be nothing at its address',
  }),
});
export type ContentPreview = z.infer<typeof contentPreview>;

export const adminAccess = z.object({
  needsSecondFactor: z.boolean().meta({
    description:
      'Admins without a second factor can do nothing but set one up. Only an admin who has one can switch it on',
  }),
});
export const adminAccessBody = adminAccess.extend({ reason: reason.optional() });

const approvalTier = z.object({
  above: amount.meta({ description: 'US dollars; what is above them needs the approvals' }),
  approvals: whole(APPROVAL_LIMITS.approvals).meta({ description: 'How many admins have to approve' }),
});
const approvalTiers = z.array(approvalTier).max(APPROVAL_LIMITS.tiers.max);
const expireHours = whole(APPROVAL_LIMITS.expireHours).meta({
  description: 'Hours for which an approval counts',
});
export const approvalLimits = z.object({
  tiers: eachPaymentCurrency(() => approvalTiers).meta({
    description: 'From the lowest amount to the highest; empty where one admin decides',
  }),
  expireHours,
});
export const approvalLimitsBody = z.object({
  tiers: eachPaymentCurrency(() => approvalTiers.optional())
    .optional()
    .meta({
      description:
        'Each with a larger amount and more approvals than the one before it; a currency that is left out keeps its own, ' +
        'an empty list has no limit',
    }),
  expireHours: expireHours.optional(),
  reason,
});
export type ApprovalLimitsBody = z.infer<typeof approvalLimitsBody>;

export const settingsAnswer = accepted;

/** The parts that are changed one by one. */
export const settingsParts = [
  'deposit-details',
  'dollar-rate',
  'prices',
  'bonus-policy',
  'content',
  'admin-access',
  'approval-limits',
] as const;

const lastChange = z
  .object({
    at: instant,
    by: z.string().meta({ description: 'Name of the admin' }),
    reason: z.string().optional(),
  })
  .nullable()
  .meta({ description: 'null while the part has its default' });

export const settings = z.object({
  depositDetails: z.object(recordOf(depositFields, () => unset)),
  dollarRate: dollarRate.shape.rate,
  prices: prices.shape.prices,
  bonusPolicy,
  content: content
    .partial()
    .meta({ description: 'The sections that differ from their defaults', 'x-like': 'content' }),
  adminAccess,
  approvalLimits,
  lastChanges: z.object({
    'deposit-details': lastChange,
    'dollar-rate': lastChange,
    prices: lastChange,
    'bonus-policy': lastChange,
    content: lastChange,
    'admin-access': lastChange,
    'approval-limits': lastChange,
  }),
  position,
});
export type SettingsView = z.infer<typeof settings>;

export const settingsHistoryQuery = z.object({
  part: z.enum(settingsParts).optional().meta({ description: 'Only changes of this part' }),
  before: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .meta({ description: 'Only changes before this revision' }),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});
/** Who changed what when, newest first. */
export const settingsHistory = z.object({
  items: z.array(
    z.object({
      eventId: z.string(),
      type: z.string(),
      revision: z.int().meta({ description: 'Its number among the changes of all settings, from 0' }),
      at: instant,
      actor: z.object({ id: z.string(), role: z.string(), name: z.string() }),
      reason: z.string().optional(),
      part: z.enum(settingsParts),
      data: z.record(z.string(), z.unknown()).meta({ description: 'What changed, as the event has it' }),
      was: z.record(z.string(), z.unknown()).meta({
        description:
          'The same members as they were before: the default where nobody had set one, left out where that is too far back',
      }),
    }),
  ),
  before: z.int().nullable().meta({ description: 'Ask with this `before` for older ones' }),
});
export type SettingsHistory = z.infer<typeof settingsHistory>;

/** What the public site said once a change was made: sections that differed from their defaults then. */
export const contentVersion = z.object({
  revision: z.int(),
  at: instant,
  by: z.string().meta({ description: 'Name of the admin' }),
  reason: z.string().optional(),
  content: content
    .partial()
    .meta({ description: 'The sections that differed from their defaults', 'x-like': 'content' }),
});
export type ContentVersion = z.infer<typeof contentVersion>;

const count = z.int().nullable().meta({ description: 'null while it is too small to show' });
export const counters = z.object({ clients: count, years: count, requestsPaid: count });
export type Counters = z.infer<typeof counters>;

const setPrice = z
  .object({ price: decimal.meta({ description: 'US dollars for one unit' }), setAt: instant })
  .nullable()
  .meta({ description: 'null until an admin has set it' });

/** What the site's pages show of the platform in figures. */
export const figures = z.object({
  counters,
  prices: z.object({ BTC: setPrice, LTC: setPrice }),
  position: position.meta({ description: 'The last event that the counters have' }),
  at: instant.meta({ description: 'When they were read' }),
});
export type Figures = z.infer<typeof figures>;
