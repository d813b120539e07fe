import type { PaymentCurrency } from './currencies.js';

/**
 * What the operator pays as promotional bonus (specification, section 9). The policy in force is stored in each event
 * that it made.
 */
export type BonusPolicy = {
  /** The share of the wallet that one day pays, a decimal fraction with at most `BONUS_RATE_SCALE` decimals: `0.10`. */
  readonly rate: string;
  /** Days from a cycle's start to its end. */
  readonly windowDays: number;
  /** Hours between two ticks, and from an account's last update to the next accrual. */
  readonly everyHours: number;
  /** The most days that one cycle pays. */
  readonly capDays: number;
  /** Whose balance the bonus is booked in, beside the wallet. */
  readonly currency: PaymentCurrency;
};

/** Decimal places of a bonus rate. */
export const BONUS_RATE_SCALE = 4;

/** The policy until an admin sets another. */
export const defaultBonusPolicy: BonusPolicy = {
  capDays: 7,
  currency: 'USDT',
  everyHours: 7,
  rate: '0.10',
  windowDays: 7,
};
