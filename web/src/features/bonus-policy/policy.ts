import type { SettingsView } from '#contracts';

export type Policy = SettingsView['bonusPolicy'];
/** A policy as it is typed. */
export type TypedPolicy = {
  readonly [Field in keyof Policy]: Field extends 'currency' ? Policy[Field] : string;
};

/** The bounds that the service keeps; its own words come back where they differ. */
export const bounds = {
  windowDays: { min: 1, max: 365 },
  everyHours: { min: 1, max: 168 },
  capDays: { min: 1, max: 365 },
} as const;
export type WholeField = keyof typeof bounds;

const RATE = /^(?:0(?:\.\d{1,4})?|1(?:\.0{1,4})?)$/;

export function typedOf({ rate, windowDays, everyHours, capDays, currency }: Policy): TypedPolicy {
  return {
    rate,
    windowDays: String(windowDays),
    everyHours: String(everyHours),
    capDays: String(capDays),
    currency,
  };
}

/** What is wrong with a rate that was typed; undefined when nothing is. */
export function rateProblem(text: string): string | undefined {
  return RATE.test(text.trim())
    ? undefined
    : 'Please enter a bonus rate from 0 to 1 with at most 4 decimals.';
}

/** What is wrong with a whole number that was typed; undefined when nothing is. */
export function wholeProblem(name: WholeField, text: string): string | undefined {
  const { min, max } = bounds[name];
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return value >= min && value <= max ? undefined : `Please enter a whole number from ${min} to ${max}.`;
}

/** The policy that was typed; undefined as long as something is wrong with it. */
export function policyOf(typed: TypedPolicy): Policy | undefined {
  const wholes = Object.keys(bounds) as readonly WholeField[];
  if (rateProblem(typed.rate) !== undefined) return undefined;
  if (wholes.some((name) => wholeProblem(name, typed[name]) !== undefined)) return undefined;
  return {
    rate: typed.rate.trim(),
    windowDays: Number(typed.windowDays.trim()),
    everyHours: Number(typed.everyHours.trim()),
    capDays: Number(typed.capDays.trim()),
    currency: typed.currency,
  };
}

/** What differs between two policies, by field. */
export function differences(before: Policy, after: Policy): readonly (keyof Policy)[] {
  return (Object.keys(before) as readonly (keyof Policy)[]).filter((name) =>
    name === 'rate' ? Number(before.rate) !== Number(after.rate) : before[name] !== after[name],
  );
}
