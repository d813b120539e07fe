import type { PaymentCurrency } from './money.js';

/** How the promotional bonus is worked out. The policy in force is stored in the events that it made. */
export type BonusPolicy = {
  /** Part of the wallet that one day earns: a decimal fraction, `0.10` for 10 %. */
  readonly rate: string;
  /** Days of a cycle, from its start to its end. */
  readonly windowDays: number;
  /** Hours that must have passed since the last bonus. */
  readonly everyHours: number;
  /** Days of one cycle that are paid for at most. */
  readonly capDays: number;
  /** The currency whose balance a bonus moves beside the wallet. */
  readonly currency: PaymentCurrency;
};
