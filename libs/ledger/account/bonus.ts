import { LodeError } from '#kernel';
import { BONUS_RATE_SCALE, type BonusPolicy } from '../bonus-policy.js';
import { availableOf } from '../chart.js';
import { parseDecimal, type Minor } from '../money.js';
import type { AccountEvent } from './events.js';
import type { BonusCycle, OpenAccount } from './state.js';
import { conversionOf, movement, type Prices, type Purse } from './conversion.js';

export type BonusCommand =
  /** At the first sign-in. */
  | { readonly type: 'StartBonusCycle'; readonly policy: BonusPolicy }
  | { readonly type: 'RestartBonusCycle'; readonly policy: BonusPolicy }
  | { readonly type: 'StopBonus'; readonly policy: BonusPolicy }
  | { readonly type: 'AccrueBonus'; readonly policy: BonusPolicy; readonly prices: Prices };

/** What the bonus of an account depends on. */
export type BonusAccount = Purse & Pick<OpenAccount, 'bonus' | 'role' | 'status'>;

type Accrued = Extract<AccountEvent, { readonly type: 'BonusAccrued' }>;

type Of<Type extends BonusCommand['type']> = Extract<BonusCommand, { type: Type }>;

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** Specification, section 4: the first sign-in starts a cycle; later ones change nothing. Admins have none. */
export function startBonusCycle(
  { policy }: Of<'StartBonusCycle'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  if (state.bonus !== null || state.role !== 'user' || state.status === 'closed') return [];
  return [{ type: 'BonusCycleStarted', data: { ...cycleFrom(now, policy), policy } }];
}

/** Specification, section 4: a new window with no day paid. Restarted in the same instant, it is the same window. */
export function restartBonusCycle(
  { policy }: Of<'RestartBonusCycle'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const dates = cycleFrom(now, policy);
  const { bonus } = state;
  const isSo = bonus?.startDate === dates.startDate && bonus.endDate === dates.endDate;
  if (isSo && bonus.bonusDays === 0) return [];
  return [{ type: 'BonusCycleRestarted', data: { ...dates, policy } }];
}

/**
 * Specification, section 4: a stop makes all days of the cycle count as paid; also those that a policy with another cap
 * would still pay.
 */
export function stopBonus(
  { policy }: Of<'StopBonus'>,
  { bonus }: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const dates = bonus ?? { startDate: now, endDate: now };
  const bonusDays = Math.max(policy.capDays, windowOf(dates));
  if (bonus !== null && bonus.bonusDays >= bonusDays) return [];
  const { startDate, endDate } = dates;
  return [{ type: 'BonusStopped', data: { startDate, endDate, bonusDays, policy } }];
}

/**
 * Pays the days that are due: the wallet times the rate, for each whole day since the cycle's start that was not paid,
 * up to the cap; rounded down to the cent. Specification, section 9. Run late, twice or at once it pays the same.
 */
export function accrueBonus(
  { policy, prices }: Omit<Of<'AccrueBonus'>, 'type'>,
  state: BonusAccount,
  now: string,
): readonly Accrued[] {
  const { bonus } = state;
  if (bonus === null || state.status !== 'active' || state.role !== 'user') return [];
  const days = dueDays(bonus, policy, now);
  if (days === 0) return [];
  const wallet = state.available.USD + state.held.USD;
  const conversion = conversionOf(bonusOf(wallet, policy, days), policy.currency, prices);
  const booked = movement(state, 'operator/bonus', availableOf(state.userId), conversion);
  const { after, amount, converted, currency, postings, price } = booked;
  const [bonusDays, updatedTime] = [bonus.bonusDays + days, now];
  const data = { after, amount, bonusDays, converted, currency, days, policy, postings, price, updatedTime };
  return [{ type: 'BonusAccrued', data }];
}

/**
 * The days that a cycle would pay at an instant (ISO); 0 while it is too soon after its last update, and when done. A
 * policy counts for cycles that are under way, but none makes a cycle pay for days after its own end.
 */
export function dueDays(cycle: BonusCycle, policy: BonusPolicy, now: string): number {
  const instant = Date.parse(now);
  if (instant - Date.parse(cycle.updatedTime) < policy.everyHours * HOUR_MS) return 0;
  const passed = Math.floor((instant - Date.parse(cycle.startDate)) / DAY_MS);
  return Math.max(0, Math.min(passed, mostDays(cycle, policy)) - cycle.bonusDays);
}

/**
 * When a cycle has days to pay at the soonest: an ISO instant, or null when it has paid all. An account is due from then
 * on, also when its tick comes late.
 */
export function bonusDueAt(cycle: BonusCycle, policy: BonusPolicy): string | null {
  if (cycle.bonusDays >= mostDays(cycle, policy)) return null;
  const nextDay = Date.parse(cycle.startDate) + (cycle.bonusDays + 1) * DAY_MS;
  const rested = Date.parse(cycle.updatedTime) + policy.everyHours * HOUR_MS;
  return new Date(Math.max(nextDay, rested)).toISOString();
}

/** The most days that a cycle pays. */
function mostDays(cycle: BonusCycle, policy: BonusPolicy): number {
  return Math.min(policy.capDays, windowOf(cycle));
}

/** Whole days from a cycle's start to its end. */
function windowOf({ startDate, endDate }: Pick<BonusCycle, 'startDate' | 'endDate'>): number {
  return Math.floor((Date.parse(endDate) - Date.parse(startDate)) / DAY_MS);
}

function bonusOf(wallet: Minor, policy: BonusPolicy, days: number): Minor {
  const rate = parseDecimal(policy.rate, BONUS_RATE_SCALE);
  if (rate < 0n) throw new LodeError('amount_invalid', 'A bonus rate is not negative.');
  return (wallet * rate * BigInt(days)) / 10n ** BigInt(BONUS_RATE_SCALE);
}

function cycleFrom(now: string, policy: BonusPolicy) {
  const endDate = new Date(Date.parse(now) + policy.windowDays * DAY_MS).toISOString();
  return { startDate: now, endDate };
}
