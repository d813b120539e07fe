import { LodeError, nearestName } from '#kernel';

/** What Kubernetes tells each program of the services of its namespace, where one of them is called lode or lode-api. */
const SERVICE_LINK =
  /^LODE_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const SERVICE_PORT = /^LODE_(?:\w+_)?PORT$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
/** Characters that are another, too many or missing in the name of a setting that doesn't begin with LODE_. */
const SLIPS = 1;
/** Names of other programs' variables that are as near to one of Lode's. */
const OTHERS = ['SFTP_URL'];
/** What begins the names of most settings. */
const PREFIX = 'LODE_';

/**
 * Refuses a variable that begins with `LODE_` and is no setting, and one whose name differs by one character from that of
 * a setting that is not set, such as `MONGODB_URI`: what it says would not be so. Throws `validation_failed` with the name that was probably meant.
 */
export function refuseUnknown(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): void {
  const isSet = (name: string) => (env[name] ?? '') !== '' || (env[`${name}_FILE`] ?? '') !== '';
  const unprefixed = known.filter((name) => !name.startsWith(PREFIX));
  for (const [name, value = ''] of Object.entries(env)) {
    if (value === '' || known.includes(name) || OTHERS.includes(name) || isServiceLink(name, value)) continue;
    const isOurs = name.startsWith(PREFIX);
    const meant =
      nearestName(name.replace(PREFIX, ''), unprefixed, SLIPS) ??
      (isOurs ? nearestName(name, known) : undefined);
    if (!isOurs && (meant === undefined || isSet(meant))) continue;
    const hint = meant === undefined ? 'See docs/reference/settings.md.' : `Did you mean ${meant}?`;
    throw new LodeError('validation_failed', `${name} is set, and is no setting of Lode. ${hint}`);
  }
}

function isServiceLink(name: string, value: string): boolean {
  return SERVICE_LINK.test(name) || (SERVICE_PORT.test(name) && SERVICE_ADDRESS.test(value));
}
