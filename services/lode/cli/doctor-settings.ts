import type { Inspection, ShownSetting } from '#engines';
import type { Finding } from './finding.js';

/** Settings, and whose they are: of the program that runs, or of the shell in which the command was typed. */
export type SettingsSeen = { readonly settings: readonly ShownSetting[]; readonly of: 'program' | 'shell' };

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** What the program is set to that runs; what one that is started in this shell would be set to where none says so. */
export function settingsSeen(
  { maintenance }: Pick<Inspection, 'maintenance'>,
  own: readonly ShownSetting[],
  running: boolean | undefined,
): SettingsSeen {
  const shown = running === true ? maintenance.settingsOfProgram() : undefined;
  return shown === undefined ? { settings: own, of: 'shell' } : { settings: shown, of: 'program' };
}

/** Whose settings they are, for whoever reads them. */
export function describeSettings({ of }: SettingsSeen, running: boolean | undefined): string {
  if (of === 'program') return 'Its settings:';
  return running === true
    ? 'The settings of this shell; what runs does not say what it is set to, and may be set otherwise:'
    : 'The settings of this shell, which a start from here would have:';
}

/** What looks wrong with them. `own` are those of the shell, by which everything else is looked at. */
export function aboutSettings(
  { settings, of }: SettingsSeen,
  own: readonly ShownSetting[],
): readonly Finding[] {
  const valueOf = (name: string) => settings.find((one) => one.name === name)?.value ?? '';
  const findings: Finding[] = [];
  const host = valueOf('LODE_HOST');
  if (!LOOPBACK.includes(host) && valueOf('LODE_SECURE') !== 'true') {
    findings.push({
      what: `Lode listens on ${host} and LODE_SECURE is false: sessions can be read on the way.`,
      todo: `Put a proxy that speaks https in front, set LODE_SECURE=true${valueOf('LODE_PROXIES') === '' ? ', and LODE_PROXIES to its address' : ''}.`,
    });
  }
  const others = of === 'program' ? otherServers(settings, own) : [];
  if (others.length > 0) {
    findings.push({
      what: `The program that runs is set otherwise than this shell: ${others.join(', ')}.`,
      todo: 'What is said here is of what this shell names: set it as the program is set, and look again.',
    });
  }
  return findings;
}

/** The addresses of servers that are not the same in both. */
function otherServers(one: readonly ShownSetting[], other: readonly ShownSetting[]): readonly string[] {
  const addresses = (settings: readonly ShownSetting[]) =>
    new Map(
      settings.filter(({ name }) => /^(?!LODE_).*_URL$/.test(name)).map(({ name, value }) => [name, value]),
    );
  const [here, there] = [addresses(one), addresses(other)];
  return [...new Set([...here.keys(), ...there.keys()])].filter((name) => here.get(name) !== there.get(name));
}
