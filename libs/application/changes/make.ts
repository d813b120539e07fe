import type { CommandContext } from '#commands';
import { type LodeError, unreachable, type Clock, type Position } from '#kernel';
import {
  accountDecider,
  accountStream,
  adminsDecider,
  adminsStream,
  parseDecimal,
  parseMoney,
  paymentCurrencies,
  PRICE_SCALE,
  RATE_SCALE,
  settingsDecider,
  settingsStream,
  type ApprovalTiers,
  type PaymentCurrency,
  type PlatformChange,
  type SettingsCommand,
} from '#ledger';
import type { AdminRights } from '../admins/rights.js';
import type { Aggregates } from '../aggregates.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import type { Receipt } from '../command.js';
import { changeSettings } from '../settings/change.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';

/** What changes are made with. */
export type MakingParts = {
  readonly aggregates: Pick<Aggregates, 'accounts' | 'admins' | 'settings'>;
  readonly admins: Pick<AdminRights, 'able' | 'changeDuty' | 'deciders'>;
  readonly settings: SettingsInForce;
  readonly clock: Clock;
};

type OfSettings = Exclude<PlatformChange, { readonly part: 'duty' | 'bonus' }>;

/**
 * Makes a change, in the name of whoever the context names. Refuses as what is changed does; and with `refusal`, where one is given, unless
 * the command was carried out before.
 */
export async function makeChange(
  { admins, aggregates, settings }: MakingParts,
  change: PlatformChange,
  context: CommandContext,
  refusal?: LodeError,
): Promise<Receipt> {
  switch (change.part) {
    case 'duty':
      return admins.changeDuty(change.values.userId, refusal ?? change.values.duty, context);
    case 'bonus': {
      const inForce = await settings.current();
      const command = { type: 'RestartBonusCycle', policy: inForce.bonusPolicy } as const;
      const stream = accountStream(change.values.userId);
      return aggregates.accounts.execute(stream, refusal ?? command, withSettingsRevision(inForce, context));
    }
    default: {
      const command = refusal ?? (await commandOrRefusal(() => settingsCommand(admins, change)));
      return changeSettings(aggregates, settings, command, context);
    }
  }
}

/** What a change would come to. */
type Foreseen = {
  readonly changes: boolean;
  /** Where in the log that is so. */
  readonly position: Position;
};

/** Whether a change would change anything now, asked for or approved by this admin. Refuses as what is changed would. */
export async function foresee(
  { admins, aggregates, clock, settings }: MakingParts,
  change: PlatformChange,
  by: string,
): Promise<Foreseen> {
  const now = new Date(clock()).toISOString();
  switch (change.part) {
    case 'duty': {
      const { state, position } = await aggregates.admins.load(adminsStream);
      const command = { type: 'ChangeDuty', ...change.values, by } as const;
      return { changes: adminsDecider.decide(command, state, now).length > 0, position };
    }
    case 'bonus': {
      const { state, position } = await aggregates.accounts.load(accountStream(change.values.userId));
      const command = { type: 'RestartBonusCycle', policy: (await settings.current()).bonusPolicy } as const;
      return { changes: accountDecider.decide(command, state, now).length > 0, position };
    }
    default: {
      const { state, position } = await aggregates.settings.load(settingsStream);
      const command = await settingsCommand(admins, change);
      return { changes: settingsDecider.decide(command, state, now).length > 0, position };
    }
  }
}

/** What the settings are told. Refuses with `amount_invalid` and `setting_invalid` what is no number that they could have. */
async function settingsCommand(
  admins: Pick<AdminRights, 'deciders'>,
  change: OfSettings,
): Promise<SettingsCommand> {
  switch (change.part) {
    case 'deposit-details':
      return { type: 'ChangeDepositDetails', details: change.values };
    case 'dollar-rate': {
      const { rate } = change.values;
      return { type: 'SetDollarRate', rate: rate === '' ? undefined : parseDecimal(rate, RATE_SCALE) };
    }
    case 'prices': {
      const prices = mapped(change.values.prices, (price) => parseDecimal(price, PRICE_SCALE));
      return { type: 'SetPrices', prices };
    }
    case 'bonus-policy':
      return { type: 'SetBonusPolicy', policy: change.values.policy };
    case 'approval-limits': {
      const { tiers = {}, expireHours } = change.values;
      const parsed: ApprovalTiers = mapped(tiers, (of) =>
        of.map(({ above, approvals }) => ({ above: parseMoney(above, 'USD'), approvals })),
      );
      return {
        type: 'SetApprovalLimits',
        tiers: parsed,
        expireHours,
        deciders: (await admins.deciders()).size,
      };
    }
    default:
      return unreachable(change);
  }
}

/** What there is for a currency, in another form. */
function mapped<From, To>(
  given: Readonly<Partial<Record<PaymentCurrency, From>>>,
  to: (one: From) => To,
): Readonly<Partial<Record<PaymentCurrency, To>>> {
  const found: Partial<Record<PaymentCurrency, To>> = {};
  for (const currency of paymentCurrencies) {
    const one = given[currency];
    if (one !== undefined) found[currency] = to(one);
  }
  return found;
}
