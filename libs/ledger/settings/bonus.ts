/** The bounds of a bonus policy, each inclusive. */
export const BONUS_POLICY_LIMITS = {
  windowDays: { min: 1, max: 365 },
  everyHours: { min: 1, max: 168 },
  capDays: { min: 1, max: 365 },
} as const;

/** A fraction from 0 to 1 with at most 4 decimals. */
export const BONUS_RATE = /^(?:0(?:\.\d{1,4})?|1(?:\.0{1,4})?)$/;

/** A bonus rate in the one way it is stored, with two decimals or as many as it needs; undefined when it is none. */
export function bonusFraction(rate: string): string | undefined {
  if (!BONUS_RATE.test(rate)) return undefined;
  const [whole = '0', decimals = ''] = rate.split('.');
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`;
}
