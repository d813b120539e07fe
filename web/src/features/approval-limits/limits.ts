import { paymentChoices, type PaymentCurrency, type SettingsView } from '#contracts';
import { plainAmount } from '../../lib';

export type Limits = SettingsView['approvalLimits'];
export type Tiers = Limits['tiers'][PaymentCurrency];

/** A limit as it is typed. */
export type TypedTier = { readonly above: string; readonly approvals: string };
/** All limits as they are typed. */
export type Typed = {
  readonly tiers: Readonly<Record<PaymentCurrency, readonly TypedTier[]>>;
  readonly expireHours: string;
};

/** The bounds that the service keeps; its own words come back where they differ. */
export const bounds = {
  tiers: { max: 4 },
  approvals: { min: 2, max: 5 },
  expireHours: { min: 1, max: 720 },
} as const;

const AMOUNT = /^\d{1,17}(?:\.\d{1,2})?$/;

export function typedOf({ tiers, expireHours }: Limits): Typed {
  const typed = (of: Tiers) =>
    of.map(({ above, approvals }) => ({ above: above.replace(/\.00$/, ''), approvals: String(approvals) }));
  return {
    tiers: { BTC: typed(tiers.BTC), PI: typed(tiers.PI), USDT: typed(tiers.USDT) },
    expireHours: String(expireHours),
  };
}

/** What is wrong with an amount that was typed; undefined when nothing is. */
export function amountProblem(text: string): string | undefined {
  return AMOUNT.test(plainAmount(text)) ? undefined : 'Please enter a valid amount.';
}

/** What is wrong with a whole number that was typed; undefined when nothing is. */
export function wholeProblem(name: 'approvals' | 'expireHours', text: string): string | undefined {
  const { min, max } = bounds[name];
  const value = /^\d{1,3}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return value >= min && value <= max ? undefined : `Please enter a whole number from ${min} to ${max}.`;
}

/** The limits that were typed; undefined as long as something is wrong with one. */
export function limitsOf({ tiers, expireHours }: Typed): Limits | undefined {
  const every = paymentChoices.flatMap((currency) => tiers[currency]);
  const isWrong =
    wholeProblem('expireHours', expireHours) !== undefined ||
    every.some(
      ({ above, approvals }) =>
        amountProblem(above) !== undefined || wholeProblem('approvals', approvals) !== undefined,
    );
  if (isWrong) return undefined;
  const read = (typed: readonly TypedTier[]): Tiers =>
    typed.map(({ above, approvals }) => ({
      above: inCents(plainAmount(above)),
      approvals: Number(approvals),
    }));
  return {
    tiers: { BTC: read(tiers.BTC), PI: read(tiers.PI), USDT: read(tiers.USDT) },
    expireHours: Number(expireHours),
  };
}

/** An amount with both its decimals, as the service writes it. */
function inCents(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.padEnd(2, '0')}`;
}

/** What differs between limits: the currencies whose own do, and the hours. */
export function changesOf(before: Limits, after: Limits): Partial<Limits> {
  const changed = paymentChoices.filter(
    (currency) =>
      JSON.stringify(rows(before.tiers[currency])) !== JSON.stringify(rows(after.tiers[currency])),
  );
  return {
    ...(changed.length > 0 && {
      tiers: Object.fromEntries(changed.map((one) => [one, after.tiers[one]])) as Limits['tiers'],
    }),
    ...(before.expireHours !== after.expireHours && { expireHours: after.expireHours }),
  };
}

function rows(tiers: Tiers): readonly (readonly [string, number])[] {
  return tiers.map(({ above, approvals }) => [above, approvals]);
}
