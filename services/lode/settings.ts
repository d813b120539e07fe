import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import {
  DEFAULT_PASSWORD_POLICY,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  passwordClasses,
  readKeyRing,
  type KeyRing,
  type PasswordPolicy,
} from '#identity';
import type { CounterFloors, Networks } from '#application';
import { CLOCK_TOLERANCE, type ClockTolerance } from '#clock';
import { STATE_CACHE_MIB } from '#commands';
import { emailAddress, gatedActs, walletNetworks, type GatedAct, type WalletNetwork } from '#contracts';
import { HEAD_TOLERANCE, type HeadTolerance, type ShownSetting } from '#engines';
import type { StorageBounds } from '#files';
import { LodeError, withoutUserInfo } from '#kernel';
import { knownKinds, paymentCurrencies, perPaymentCurrency } from '#ledger';
import type { LinkWay } from '#site';
import { refuseUnknown } from './unknown-settings.js';
import { lodeVersion } from './version.js';

const yesOrNo = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

const PORT = 'must be a whole number from 0 to 65535';
const PROXIES = 'must be addresses or networks of proxies, parted by commas';
const ORIGINS = 'must be origins such as https://app.example.org, parted by commas';
const PUBLIC_URL = 'must be an origin such as https://lode.example.org';
const MAIL_FROM = 'must be an e-mail address';
/** Keeps nothing from whoever has not verified the e-mail address. */
const NOTHING = 'nothing';
const GATED = `must be ${NOTHING}, or some of ${gatedActs.join(', ')}, parted by commas`;
const LENGTH = `must be a whole number from ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX}`;
const REQUIRES = `must be some of ${passwordClasses.join(', ')}, parted by commas`;
const parted = z.string().transform((text) => text.split(',').map((one) => one.trim()));
/** The origin of a web page exactly as a browser says it. */
const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
const passwordLength = z.coerce
  .number(LENGTH)
  .int(LENGTH)
  .min(PASSWORD_LENGTH_MIN, LENGTH)
  .max(PASSWORD_LENGTH_MAX, LENGTH);
/** What no machine has to spare beside the rest of the program, in MiB. */
const STATE_CACHE_MIB_MAX = 1_048_576;
const CACHE = `must be a whole number of MiB from 1 to ${STATE_CACHE_MIB_MAX}`;
const ABOVE_ZERO = 'must be a whole number above 0';
const aboveZero = z.coerce.number(ABOVE_ZERO).int(ABOVE_ZERO).min(1, ABOVE_ZERO);
const MEBIBYTE = 1_024 * 1_024;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** For as long it can be looked into who tried to come in. */
const NETWORK_DAYS = 90;
/** Longer than a quarter nobody is kept waiting. */
const CHANGE_WAIT_HOURS_MAX = 2_160;
const CHANGE_WAIT = `must be a whole number of hours from 0 to ${CHANGE_WAIT_HOURS_MAX}`;
/** As long as a session of a customer lives. */
const ADMIN_SESSION_HOURS_MAX = 720;
const ADMIN_SESSION = `must be a whole number of hours from 1 to ${ADMIN_SESSION_HOURS_MAX}`;
/** What no clock is away by accident: a hundred years. */
const CLOCK_DAYS_MAX = 36_525;
const CLOCK_MINUTES_MAX = 1_440;
const CLOCK_AHEAD = `must be a whole number of days from 1 to ${CLOCK_DAYS_MAX}`;
const CLOCK_BEHIND = `must be a whole number of minutes from 1 to ${CLOCK_MINUTES_MAX}`;
/** No request takes longer as a whole. */
const REQUEST_HEAD_SECONDS_MAX = 120;
const REQUEST_HEAD = `must be a whole number of seconds from 1 to ${REQUEST_HEAD_SECONDS_MAX}`;
/** Characters that nobody guesses, who may ask as often as a probe does. */
const WATCH_TOKEN_MIN = 16;
const WATCH_TOKEN = `must have at least ${WATCH_TOKEN_MIN} characters`;
const NETWORKS = `must be a currency and one of ${walletNetworks.join(', ')}, such as BTC=bitcoin, parted by commas`;
const network = z.enum(walletNetworks);
/** A network a currency; one that is not named is not checked. */
const networks = z.string().refine((text) => networksIn(text) !== undefined, NETWORKS);
const COLLECTOR = 'must be an address such as http://localhost:4318';
const SHARE = 'must be a number from 0 to 1';
const environment = z.object({
  PORT: z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT).default(3_000),
  LODE_HOST: z.string().min(1, 'must be an address to listen on').default('127.0.0.1'),
  LODE_DATA: z.string().min(1, 'must be a folder').default('./data'),
  LODE_PUBLIC_URL: z.string().refine(isOrigin, PUBLIC_URL).optional(),
  LODE_MAIL_FROM: emailAddress(MAIL_FROM).optional(),
  LODE_UNVERIFIED_MAY_NOT: parted
    .transform((acts) => (acts.join() === NOTHING ? [] : acts))
    .pipe(z.array(z.enum(gatedActs, GATED)))
    .optional(),
  LODE_SECURE: yesOrNo.default(false),
  LODE_PROXIES: parted
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], PROXIES)))
    .default([]),
  LODE_REQUESTS_PER_MINUTE: aboveZero.default(1_200),
  LODE_OPEN_REQUESTS: aboveZero.default(20),
  LODE_COMMANDS_PER_HOUR: aboveZero.default(300),
  LODE_REGISTRATIONS_PER_HOUR: aboveZero.default(60),
  LODE_NETWORK_DAYS: aboveZero.default(NETWORK_DAYS),
  LODE_CHANGE_WAIT_HOURS: z.coerce
    .number(CHANGE_WAIT)
    .int(CHANGE_WAIT)
    .min(0, CHANGE_WAIT)
    .max(CHANGE_WAIT_HOURS_MAX, CHANGE_WAIT)
    .default(24),
  LODE_ADMIN_SESSION_HOURS: z.coerce
    .number(ADMIN_SESSION)
    .int(ADMIN_SESSION)
    .min(1, ADMIN_SESSION)
    .max(ADMIN_SESSION_HOURS_MAX, ADMIN_SESSION)
    .default(8),
  LODE_COUNTER_CLIENTS: aboveZero.default(100),
  LODE_COUNTER_YEARS: aboveZero.default(1),
  LODE_COUNTER_REQUESTS: aboveZero.default(100),
  LODE_NETWORKS: networks.default('BTC=bitcoin,USDT=ethereum,PI=stellar'),
  LODE_CONNECTIONS: aboveZero.default(10_000),
  LODE_CONNECTIONS_PER_ADDRESS: aboveZero.default(1_000),
  LODE_OWN_DESCRIPTORS: aboveZero.default(384),
  LODE_REQUEST_HEAD_SECONDS: z.coerce
    .number(REQUEST_HEAD)
    .int(REQUEST_HEAD)
    .min(1, REQUEST_HEAD)
    .max(REQUEST_HEAD_SECONDS_MAX, REQUEST_HEAD)
    .default(10),
  LODE_PASSWORD_MIN: passwordLength.default(DEFAULT_PASSWORD_POLICY.minLength),
  LODE_PASSWORD_MAX: passwordLength.default(DEFAULT_PASSWORD_POLICY.maxLength),
  LODE_PASSWORD_REQUIRES: parted.pipe(z.array(z.enum(passwordClasses, REQUIRES))).default([]),
  LODE_IDENTITY_TOOLKIT: yesOrNo.default(false),
  LODE_IDENTITY_TOOLKIT_ORIGINS: parted.pipe(z.array(z.string().refine(isOrigin, ORIGINS))).default([]),
  LODE_FILES_MIB: aboveZero.default(102_400),
  LODE_FREE_MIB: aboveZero.default(256),
  LODE_STATE_CACHE_MIB: z.coerce
    .number(CACHE)
    .int(CACHE)
    .min(1, CACHE)
    .max(STATE_CACHE_MIB_MAX, CACHE)
    .default(STATE_CACHE_MIB),
  LODE_CLOCK_AHEAD_DAYS: z.coerce
    .number(CLOCK_AHEAD)
    .int(CLOCK_AHEAD)
    .min(1, CLOCK_AHEAD)
    .max(CLOCK_DAYS_MAX, CLOCK_AHEAD)
    .default(CLOCK_TOLERANCE.aheadMs / DAY_MS),
  LODE_CLOCK_BEHIND_MINUTES: z.coerce
    .number(CLOCK_BEHIND)
    .int(CLOCK_BEHIND)
    .min(1, CLOCK_BEHIND)
    .max(CLOCK_MINUTES_MAX, CLOCK_BEHIND)
    .default(CLOCK_TOLERANCE.behindMs / MINUTE_MS),
  LODE_HEAD_AHEAD_MINUTES: aboveZero.default(HEAD_TOLERANCE.logMs / MINUTE_MS),
  LODE_HEAD_AHEAD_CHANGES: aboveZero.default(HEAD_TOLERANCE.changes),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(SHARE).min(0, SHARE).max(1, SHARE).default(1),
  LODE_LOG: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .default('warn'),
});

/** Addresses of servers, which hold passwords: each may stand in a file that the variable with `_FILE` names. */
const SERVERS = ['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL', 'S3_URL', 'SMTP_URL'] as const;
type Server = (typeof SERVERS)[number];
/** Every variable that is read. */
const NAMES = [
  ...Object.keys(environment.shape),
  ...[...SERVERS, 'LODE_METRICS_TOKEN'].flatMap((name) => [name, `${name}_FILE`]),
  ...['LODE_KEY_FILE', 'LODE_BACKUPS', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
];
type Environment = Readonly<Record<string, string | undefined>>;

export type Settings = {
  /** Each of them as it is shown, and where its value comes from. */
  readonly sources: readonly SettingSource[];
  readonly port: number;
  readonly host: string;
  readonly dataFolder: string;
  /** Of each type of events the newest version that this program can read. */
  readonly knownKinds: Readonly<Record<string, number>>;
  /** The version of this program. */
  readonly program: string;
  /** The addresses of servers; undefined where the folder has what they would have. */
  readonly eventStoreUrl: string | undefined;
  readonly mongodbUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly s3Url: string | undefined;
  readonly smtpUrl: string | undefined;
  /** Where the public reaches the program, which the Host of a request never says: the beginning of absolute addresses. */
  readonly publicUrl: string;
  /** The address that mails come from. */
  readonly mailFrom: string;
  /** What whoever has not verified the e-mail address may not ask for. */
  readonly unverifiedMayNot: readonly GatedAct[];
  /** False where others than whoever is at this machine may reach the program: on another address, or by what stands before it. */
  readonly isForHereAlone: boolean;
  readonly secure: boolean;
  /** Addresses or networks of proxies whose word on where a request comes from is taken. */
  readonly proxies: readonly string[];
  readonly requestsPerMinute: number;
  /** What one customer may ask for. */
  readonly budget: { readonly openRequests: number; readonly commandsPerHour: number };
  /** Registrations that one address may ask for. */
  readonly registrationsPerHour: number;
  /** Days after its month for which the network of a refused stranger can be read. */
  readonly networkDays: number;
  /** For how long a change of what guards an account keeps its money from leaving, in milliseconds; 0 for not at all. */
  readonly changeWaitMs: number;
  /** How long after the sign-in a session of an admin may be gone on with, in milliseconds. */
  readonly adminSessionMs: number;
  /** What the counters of the site must come to before they are shown. */
  readonly counterFloors: CounterFloors;
  /** What the wallet addresses of each currency are of. */
  readonly networks: Networks;
  /** Connections that are taken: from everywhere, and from one address (of IPv6, one /64 network). */
  readonly connections: {
    readonly most: number;
    readonly perNetwork: number;
    /** For as long the head of a request is waited for. */
    readonly headMs: number;
    /** Descriptors that connections leave for everything else. */
    readonly ownDescriptors: number;
  };
  readonly passwordPolicy: PasswordPolicy;
  /** True when clients of Google's Identity Toolkit are served too. */
  readonly identityToolkit: boolean;
  /** Origins whose pages may call what such clients are served, as browsers say them. */
  readonly identityToolkitOrigins: readonly string[];
  /** What all uploaded files together may take, and what they leave free of the disk that has them. */
  readonly storage: StorageBounds;
  /** Bytes of memory for the states of accounts and the like. */
  readonly stateCacheBytes: number;
  /** How far the clock may be from the latest time that is known, when Lode starts. */
  readonly clockTolerance: ClockTolerance;
  /** The file of the keys that personal data is wrapped with, and what it has; undefined and none where it is not set. */
  readonly keyFile: string | undefined;
  readonly keys: KeyRing;
  /** Where backups go that admins order; undefined where they order none. */
  readonly backupFolder: string | undefined;
  /** How far log and identities may be ahead of the head that was kept last, when Lode starts. */
  readonly headTolerance: HeadTolerance;
  /** Who has it may see metrics, and health in detail. */
  readonly watchToken: string | undefined;
  readonly logLevel: z.infer<typeof environment>['LODE_LOG'];
  /** Where spans are sent, and of which share of all traces; undefined where nobody traces. */
  readonly tracing: { readonly endpoint: string; readonly share: number } | undefined;
};

/**
 * The settings that environment variables give, and the data folder when the command line names it. Refuses a bad one with
 * `validation_failed` and one sentence.
 */
export function readSettings(variables: Environment, dataFolder?: string): Settings {
  const env = dataFolder === undefined ? variables : { ...variables, LODE_DATA: dataFolder };
  refuseUnknown(env, NAMES);
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    throw new LodeError(
      'validation_failed',
      `${name} ${issue?.message ?? 'is wrong'}, not ${JSON.stringify(env[name])}.`,
    );
  }
  refuseContradictions(parsed.data, env);
  const {
    PORT: port,
    LODE_HOST,
    LODE_DATA,
    LODE_SECURE,
    LODE_PROXIES,
    LODE_REQUESTS_PER_MINUTE,
    LODE_OPEN_REQUESTS,
    LODE_COMMANDS_PER_HOUR,
    LODE_REGISTRATIONS_PER_HOUR,
    LODE_NETWORK_DAYS,
    LODE_PASSWORD_MIN,
    LODE_PASSWORD_MAX,
    LODE_PASSWORD_REQUIRES,
    LODE_IDENTITY_TOOLKIT,
    LODE_IDENTITY_TOOLKIT_ORIGINS,
    LODE_FILES_MIB,
    LODE_FREE_MIB,
    LODE_STATE_CACHE_MIB,
  } = parsed.data;
  return {
    knownKinds,
    program: lodeVersion(),
    sources: sourcesWith(env, dataFolder),
    port,
    host: LODE_HOST,
    dataFolder: resolve(LODE_DATA),
    ...secretsIn(env),
    ...publicIn(parsed.data),
    unverifiedMayNot: parsed.data.LODE_UNVERIFIED_MAY_NOT ?? gatedByDefault(env),
    ...outsideOf(resolve(LODE_DATA), env),
    secure: LODE_SECURE,
    proxies: LODE_PROXIES,
    requestsPerMinute: LODE_REQUESTS_PER_MINUTE,
    budget: { openRequests: LODE_OPEN_REQUESTS, commandsPerHour: LODE_COMMANDS_PER_HOUR },
    registrationsPerHour: LODE_REGISTRATIONS_PER_HOUR,
    networkDays: LODE_NETWORK_DAYS,
    ...waitsIn(parsed.data),
    counterFloors: counterFloorsIn(parsed.data),
    networks: networksIn(parsed.data.LODE_NETWORKS) ?? perPaymentCurrency(() => 'none'),
    connections: connectionsIn(parsed.data),
    passwordPolicy: {
      minLength: LODE_PASSWORD_MIN,
      maxLength: LODE_PASSWORD_MAX,
      requires: LODE_PASSWORD_REQUIRES,
    },
    identityToolkit: LODE_IDENTITY_TOOLKIT,
    identityToolkitOrigins: LODE_IDENTITY_TOOLKIT_ORIGINS,
    storage: { bytes: LODE_FILES_MIB * MEBIBYTE, free: LODE_FREE_MIB * MEBIBYTE },
    stateCacheBytes: LODE_STATE_CACHE_MIB * MEBIBYTE,
    ...tolerancesIn(parsed.data),
    ...toldIn(parsed.data, env),
  };
}

/** What the program tells of itself. Where traces go is a variable of OpenTelemetry's own, as other programs have it too. */
function toldIn(
  { LODE_LOG: logLevel, OTEL_TRACES_SAMPLER_ARG: share }: z.infer<typeof environment>,
  env: Environment,
): Pick<Settings, 'logLevel' | 'tracing'> {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  if (endpoint === '') return { logLevel, tracing: undefined };
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint))
    throw new LodeError('validation_failed', `OTEL_EXPORTER_OTLP_ENDPOINT ${COLLECTOR}.`);
  return { logLevel, tracing: { endpoint, share } };
}

/** How long a change is waited for, and how long an admin's session is. */
function waitsIn(
  of: Pick<z.infer<typeof environment>, 'LODE_CHANGE_WAIT_HOURS' | 'LODE_ADMIN_SESSION_HOURS'>,
): Pick<Settings, 'changeWaitMs' | 'adminSessionMs'> {
  return {
    changeWaitMs: of.LODE_CHANGE_WAIT_HOURS * HOUR_MS,
    adminSessionMs: of.LODE_ADMIN_SESSION_HOURS * HOUR_MS,
  };
}

/** The network of each currency; undefined where the text names something else. */
function networksIn(text: string): Networks | undefined {
  const named = new Map<string, WalletNetwork>();
  for (const part of text.split(',')) {
    const [currency = '', name] = part.split('=').map((one) => one.trim());
    const parsed = network.safeParse(name);
    if (!parsed.success || !paymentCurrencies.some((one) => one === currency)) return undefined;
    named.set(currency, parsed.data);
  }
  return perPaymentCurrency((currency) => named.get(currency) ?? 'none');
}

/** Refuses settings that are each right, and not together. */
function refuseContradictions(data: z.infer<typeof environment>, env: Environment): void {
  if (data.LODE_PASSWORD_MAX < data.LODE_PASSWORD_MIN) {
    throw new LodeError('validation_failed', 'LODE_PASSWORD_MAX must not be below LODE_PASSWORD_MIN.');
  }
  if (data.LODE_IDENTITY_TOOLKIT_ORIGINS.length > 0 && !data.LODE_IDENTITY_TOOLKIT) {
    throw new LodeError(
      'validation_failed',
      'LODE_IDENTITY_TOOLKIT_ORIGINS is set, but LODE_IDENTITY_TOOLKIT is not true: nothing would be served to them.',
    );
  }
  if (data.LODE_PUBLIC_URL === undefined && secretOf('SMTP_URL', env) !== undefined) {
    throw new LodeError(
      'validation_failed',
      'SMTP_URL is set, but LODE_PUBLIC_URL is not: links in mails would lead to whatever machine they are read on.',
    );
  }
}

function counterFloorsIn(data: z.infer<typeof environment>): CounterFloors {
  const {
    LODE_COUNTER_CLIENTS: clients,
    LODE_COUNTER_YEARS: years,
    LODE_COUNTER_REQUESTS: requestsPaid,
  } = data;
  return { clients, years, requestsPaid };
}

/** How connections are bounded. */
function connectionsIn(given: z.infer<typeof environment>): Settings['connections'] {
  return {
    most: given.LODE_CONNECTIONS,
    perNetwork: given.LODE_CONNECTIONS_PER_ADDRESS,
    headMs: given.LODE_REQUEST_HEAD_SECONDS * SECOND_MS,
    ownDescriptors: given.LODE_OWN_DESCRIPTORS,
  };
}

/** What a clock, and the stores beside their head, may differ by. */
function tolerancesIn(
  given: z.infer<typeof environment>,
): Pick<Settings, 'clockTolerance' | 'headTolerance'> {
  return {
    clockTolerance: {
      aheadMs: given.LODE_CLOCK_AHEAD_DAYS * DAY_MS,
      behindMs: given.LODE_CLOCK_BEHIND_MINUTES * MINUTE_MS,
    },
    headTolerance: {
      logMs: given.LODE_HEAD_AHEAD_MINUTES * MINUTE_MS,
      changes: given.LODE_HEAD_AHEAD_CHANGES,
    },
  };
}

/** The machine that the program is on, and nobody else, reaches these. */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** How a link that somebody asked for gets there: the console is read by whoever is at this machine, who may be nobody that asks. */
export function linkWayOf({
  smtpUrl,
  isForHereAlone,
}: Pick<Settings, 'smtpUrl' | 'isForHereAlone'>): LinkWay {
  if (smtpUrl !== undefined) return 'mail';
  return isForHereAlone ? 'console' : 'none';
}

/** How the program is called from outside, whom its mails come from, and whether there is an outside. */
function publicIn(
  data: z.infer<typeof environment>,
): Pick<Settings, 'publicUrl' | 'mailFrom' | 'isForHereAlone'> {
  const { LODE_HOST, LODE_PUBLIC_URL, LODE_PROXIES, LODE_SECURE, PORT } = data;
  const publicUrl = LODE_PUBLIC_URL ?? localUrl(PORT);
  // Behind a proxy on the same machine it is reached from everywhere: each of these says that there is one.
  const hasProxy = LODE_PUBLIC_URL !== undefined || LODE_PROXIES.length > 0 || LODE_SECURE;
  return {
    publicUrl,
    mailFrom: data.LODE_MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`,
    isForHereAlone: LOOPBACK.has(LODE_HOST) && !hasProxy,
  };
}

function localUrl(port: number): string {
  return new URL(`http://localhost:${port}`).origin;
}

/** A mail must come for anybody to verify an address: where none is sent, nothing is kept from anybody. */
function gatedByDefault(env: Environment): readonly GatedAct[] {
  return secretOf('SMTP_URL', env) === undefined ? [] : ['withdraw'];
}

/** The token of whoever watches; undefined when none is set. */
function watchTokenIn(env: Environment): string | undefined {
  const token = secretOf('LODE_METRICS_TOKEN', env)?.value;
  if (token !== undefined && token.length < WATCH_TOKEN_MIN)
    throw new LodeError('validation_failed', `LODE_METRICS_TOKEN ${WATCH_TOKEN}.`);
  return token;
}

/** What may stand in files: the addresses of all servers, and the token of whoever watches. */
function secretsIn(env: Environment) {
  return {
    eventStoreUrl: secretOf('EVENTSTORE_URL', env)?.value,
    mongodbUrl: secretOf('MONGODB_URL', env)?.value,
    redisUrl: secretOf('REDIS_URL', env)?.value,
    s3Url: secretOf('S3_URL', env)?.value,
    smtpUrl: secretOf('SMTP_URL', env)?.value,
    watchToken: watchTokenIn(env),
  };
}

/** The keys that are kept apart from what they wrap. Refuses a file in the data folder: each copy of that would have it. */
function keysIn(env: Environment, dataFolder: string): Pick<Settings, 'keyFile' | 'keys'> {
  const given = env['LODE_KEY_FILE'] ?? '';
  if (given === '') return { keyFile: undefined, keys: [] };
  const keyFile = resolve(given);
  const keys = readKeyRing(contentOf('LODE_KEY_FILE', keyFile), `LODE_KEY_FILE (${keyFile})`);
  const folder = existsSync(dataFolder) ? realpathSync(dataFolder) : dataFolder;
  const isInside = [keyFile, realpathSync(keyFile)].some(
    (file) => isBelow(folder, file) || isBelow(dataFolder, file),
  );
  if (isInside)
    throw new LodeError(
      'validation_failed',
      `LODE_KEY_FILE names ${keyFile}, which is in the data folder: keep it elsewhere, or whoever has a copy of the one has the other.`,
    );
  return { keyFile, keys };
}

/** What is kept outside the data folder. */
function outsideOf(
  dataFolder: string,
  env: Environment,
): Pick<Settings, 'keyFile' | 'keys' | 'backupFolder'> {
  return { ...keysIn(env, dataFolder), backupFolder: backupFolderIn(env, dataFolder) };
}

/** Where backups go. Refuses a place in the data folder: it goes with that, and each copy of that would have it. */
function backupFolderIn(env: Environment, dataFolder: string): string | undefined {
  const given = env['LODE_BACKUPS'] ?? '';
  if (given === '') return undefined;
  const backupFolder = resolve(given);
  if (!isBelow(madeReal(dataFolder), madeReal(backupFolder)) && !isBelow(dataFolder, backupFolder))
    return backupFolder;
  throw new LodeError(
    'validation_failed',
    `LODE_BACKUPS names ${backupFolder}, which is in the data folder: keep backups elsewhere, best on another disk.`,
  );
}

/** Links that a path is followed through, as by the system. */
const LINKS_MAX = 40;

/** A path without links, also of what is not made yet: as far as there is anything of it. */
function madeReal(path: string, links = LINKS_MAX): string {
  if (existsSync(path)) return realpathSync(path);
  const [above, target] = [dirname(path), linkAt(path)];
  // One that leads to itself has no end.
  if (target !== undefined && links > 0) return madeReal(resolve(madeReal(above), target), links - 1);
  return above === path ? path : join(madeReal(above), basename(path));
}

/** What a link names that leads to nothing yet; undefined for what is no link. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** A setting that may stand in a file, and where it was found; undefined when it is not set. */
function secretOf(
  name: Server | 'LODE_METRICS_TOKEN',
  env: Environment,
): { readonly value: string; readonly source: 'environment' | 'file' } | undefined {
  const [value = '', file = ''] = [env[name], env[`${name}_FILE`]];
  if (value !== '' && file !== '')
    throw new LodeError('validation_failed', `${name} and ${name}_FILE are both set: unset one of them.`);
  if (file === '') return value === '' ? undefined : { value, source: 'environment' };
  return { value: contentOf(`${name}_FILE`, file), source: 'file' };
}

function contentOf(name: string, file: string): string {
  if (file.includes('://'))
    throw new LodeError('validation_failed', `${name} takes the name of a file that has the address.`);
  let content;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new LodeError(
      'validation_failed',
      `${name} names ${file}, which can't be read.`,
      {},
      { cause: error },
    );
  }
  if (content === '') throw new LodeError('validation_failed', `${name} names ${file}, which is empty.`);
  return content;
}

/** Where the public reaches the program, if somebody has said so. */
export function saidPublicUrl({
  publicUrl,
  sources,
}: Pick<Settings, 'publicUrl' | 'sources'>): string | undefined {
  const said = sources.find(({ name }) => name === 'LODE_PUBLIC_URL');
  return said === undefined || said.source === 'default' ? undefined : publicUrl;
}

/** One setting as it is in force, and where its value comes from. */
export type SettingSource = ShownSetting & {
  readonly source: 'environment' | 'command line' | 'file' | 'default';
};

/** As `settingSources`, when the command line may have named the data folder. */
function sourcesWith(env: Environment, dataFolder: string | undefined): readonly SettingSource[] {
  return settingSources(env).map((one) =>
    one.name === 'LODE_DATA' && dataFolder !== undefined ? { ...one, source: 'command line' } : one,
  );
}

/** Every setting with its source, for somebody who wonders; no password. The settings must be good ones. */
export function settingSources(env: Environment): readonly SettingSource[] {
  const defaults = environment.parse({});
  const publicUrl = localUrl(Number(env['PORT'] ?? '') || defaults.PORT);
  const { hostname } = new URL(env['LODE_PUBLIC_URL'] || publicUrl);
  const fallbacks = {
    ...defaults,
    LODE_PUBLIC_URL: publicUrl,
    LODE_MAIL_FROM: `no-reply@${hostname}`,
    LODE_UNVERIFIED_MAY_NOT: gatedByDefault(env).join() || NOTHING,
  };
  const own = Object.entries(fallbacks).map(([name, fallback]): SettingSource => {
    const given = env[name];
    return given === undefined || given === ''
      ? { name, value: String(fallback), source: 'default' }
      : { name, value: given, source: 'environment' };
  });
  const servers = SERVERS.flatMap((name): SettingSource[] => {
    const address = secretOf(name, env);
    return address === undefined
      ? []
      : [{ name, value: withoutUserInfo(address.value), source: address.source }];
  });
  const token = secretOf('LODE_METRICS_TOKEN', env);
  const secrets: SettingSource[] =
    token === undefined ? [] : [{ name: 'LODE_METRICS_TOKEN', value: 'set', source: token.source }];
  const keyFile = env['LODE_KEY_FILE'] ?? '';
  const keys: SettingSource[] =
    keyFile === '' ? [] : [{ name: 'LODE_KEY_FILE', value: keyFile, source: 'environment' }];
  const backupFolder = env['LODE_BACKUPS'] ?? '';
  const backups: SettingSource[] =
    backupFolder === '' ? [] : [{ name: 'LODE_BACKUPS', value: backupFolder, source: 'environment' }];
  const collector = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  const traces: SettingSource[] =
    collector === ''
      ? []
      : [
          {
            name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
            value: withoutUserInfo(collector),
            source: 'environment',
          },
        ];
  return [...own, ...servers, ...secrets, ...keys, ...backups, ...traces];
}
