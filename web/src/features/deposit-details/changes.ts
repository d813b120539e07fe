import type { SettingsView } from '#contracts';

export type DepositDetails = SettingsView['depositDetails'];
export type DepositField = keyof DepositDetails;
export type Typed = Readonly<Record<DepositField, string>>;

/** Where the platform is reached; the other fields are where customers pay to. */
export const contactFields: readonly DepositField[] = ['phoneNumber', 'email', 'contactAddress'];

/** The fields that say where customers pay to. */
export function addressFields(details: DepositDetails): readonly DepositField[] {
  return Object.keys(details)
    .filter(isField(details))
    .filter((name) => !contactFields.includes(name));
}

function isField(details: DepositDetails) {
  return (name: string): name is DepositField => Object.hasOwn(details, name);
}

/** What a form begins with. */
export function typedOf(details: DepositDetails): Typed {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, value ?? ''])) as Typed;
}

/** Of the fields that somebody touched those that would be other than now; an emptied one is removed. */
export function changesIn(
  typed: Typed,
  touched: Readonly<Partial<Record<DepositField, unknown>>>,
  details: DepositDetails,
): Partial<Record<DepositField, string | null>> {
  const changed = Object.keys(details)
    .filter(isField(details))
    .filter((name) => touched[name] === true)
    .map((name) => [name, typed[name].trim() === '' ? null : typed[name].trim()] as const)
    .filter(([name, value]) => value !== details[name]);
  return Object.fromEntries(changed);
}
