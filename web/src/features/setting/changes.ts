import { paymentChoices, type SettingsHistory } from '#contracts';
import { displayPrice, exactMoney } from '../../lib';

/** A change of a part of the settings. */
export type SettingItem = SettingsHistory['items'][number];
export type SettingPart = SettingItem['part'];

/** One value that got another; a text that is not known is left out. */
export type SettingChange = { readonly name: string; readonly from: string | undefined; readonly to: string };

/** What stands where nobody has set a value. */
const NOT_SET = 'not set';

/** The member that holds what changed, in the parts that have one around it. */
const within: Readonly<Partial<Record<SettingPart, string>>> = {
  'bonus-policy': 'policy',
  content: 'content',
  prices: 'prices',
};

const names: Readonly<Record<string, string>> = {
  phoneNumber: 'Contact phone number',
  email: 'E-mail',
  contactAddress: 'Contact address',
  btcWallet: 'BTC deposit address',
  ethWallet: 'USDT deposit address',
  piWallet: 'PI deposit address',
  rate: 'Rate',
  windowDays: 'Days of a cycle',
  everyHours: 'Hours between payments',
  capDays: 'Days paid at most',
  currency: 'Paid in',
  needsSecondFactor: 'Second factor needed',
  expireHours: 'Hours for which an approval counts',
};

/** What people call a value of a setting. */
export function settingName(name: string): string {
  return names[name] ?? name;
}

/** What a change of settings gave another value, one by one. */
export function changesOf({
  part,
  data,
  was,
}: Pick<SettingItem, 'part' | 'data' | 'was'>): readonly SettingChange[] {
  const valuesOf =
    part === 'approval-limits' ? limitsIn : (given: SettingItem['data']) => membersOf(given, within[part]);
  const [after, before] = [valuesOf(data), valuesOf(was)];
  const shown = (value: unknown) =>
    part === 'prices' && typeof value === 'string' ? displayPrice(value) : textOf(value);
  return Object.entries(after)
    .map(([name, value]) => ({
      name: settingName(name),
      from: Object.hasOwn(before, name) ? shown(before[name]) : undefined,
      to: shown(value),
    }))
    .filter(({ from, to }) => from !== to);
}

type Tier = { readonly above: string; readonly approvals: number };

/** The limits of each currency in words, with what else a change of them holds. */
function limitsIn({ tiers, ...rest }: SettingItem['data']): Readonly<Record<string, unknown>> {
  if (typeof tiers !== 'object' || tiers === null) return rest;
  const of = tiers as Readonly<Record<string, readonly Tier[]>>;
  return { ...Object.fromEntries(paymentChoices.map((one) => [one, tierWords(of[one] ?? [])])), ...rest };
}

/** How many admins what is above which dollars takes. */
export function tierWords(tiers: readonly Tier[]): string {
  if (tiers.length === 0) return 'one admin decides';
  return tiers
    .map(({ above, approvals }) => `above ${exactMoney(above, 'USD')}: ${approvals} admins`)
    .join(', ');
}

function membersOf(data: SettingItem['data'], member: string | undefined): Readonly<Record<string, unknown>> {
  if (member === undefined) return data;
  const held = data[member];
  return typeof held === 'object' && held !== null ? (held as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return NOT_SET;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
