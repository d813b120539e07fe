import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { hasCode, isLodeError, LodeError, randomSecret, sha256, uuidV5 } from '#kernel';
import {
  changeFactors,
  areOn,
  epochOf,
  NO_FACTORS,
  readFactors,
  type Factors,
  type FactorsParts,
  type KeptPasskey,
  type PasskeyChallenge,
} from './factors.js';
import { firstCodes } from './second-factors.js';

/** Passkeys that a person can have at once. */
export const PASSKEYS_MAX = 10;
/** How long what was asked for can be signed, in milliseconds. */
export const PASSKEY_CHALLENGE_MS = 5 * 60_000;
/** What a person is asked to sign at once; one more takes the place of the one of longest ago. */
const CHALLENGES_MAX = 8;
/** As browsers know them (WebAuthn, section 5.8.4). */
export const PASSKEY_TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
/** Ed25519, ECDSA on P-256, and RSA: what authenticators have (COSE numbers). */
const ALGORITHMS = [-8, -7, -257];
/** The namespace of what authenticators know people by. */
const HANDLES = '6f0b7d52-3a5c-5f0e-9a64-2d1f7c8e4b93';
/** What authenticators call us. */
const NAME = 'Lode';

/** What a passkey signs for. One that was asked for for one thing is worth nothing for another. */
export type PasskeyPurpose = 'transfer' | 'withdrawal' | 'security' | 'second factor' | 'step-up';

/** Why nobody can have a passkey here: browsers give none to addresses that are numbers, and none without TLS. */
export type PasskeysRefusal = 'number' | 'insecure';

export type PasskeyView = {
  readonly passkeyId: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  readonly usedAt?: number;
};

type Transport = (typeof PASSKEY_TRANSPORTS)[number];
type Descriptor = { readonly id: string; readonly type: 'public-key'; readonly transports: Transport[] };

/** What a browser makes a passkey with (`PublicKeyCredentialCreationOptionsJSON`). */
export type PasskeyCreation = {
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly challenge: string;
  readonly pubKeyCredParams: { readonly type: 'public-key'; readonly alg: number }[];
  readonly timeout: number;
  readonly excludeCredentials: Descriptor[];
  readonly authenticatorSelection: {
    readonly residentKey: 'preferred';
    readonly userVerification: 'required';
  };
  readonly attestation: 'none';
};

/** What a browser uses a passkey with (`PublicKeyCredentialRequestOptionsJSON`). */
export type PasskeyRequest = {
  readonly challenge: string;
  readonly timeout: number;
  readonly rpId: string;
  readonly allowCredentials: Descriptor[];
  readonly userVerification: 'required';
};

/** What a browser made (`RegistrationResponseJSON`); all of it but `id` and `transports` is base64url. */
export type NewPasskey = {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
};

/** What a passkey signed (`AuthenticationResponseJSON`), base64url. */
export type PasskeyAssertion = {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
};

/** The passkeys of people. The person is verified by each (with a finger, a face or a pin), and not only there. */
export type Passkeys = {
  /** Why nobody can have one; undefined where people can. */
  readonly refusal: PasskeysRefusal | undefined;
  /** The host that they belong to (the relying party); undefined where people can have none. */
  readonly rpId: string | undefined;
  /** Those of a person, the oldest first. */
  readonly listOf: (userId: string) => Promise<readonly PasskeyView[]>;
  /**
   * What a browser makes a new one with, within `PASSKEY_CHALLENGE_MS` and with the password of now. Whoever calls has made sure
   * of the person. Refuses with `passkeys_unavailable`, `passkeys_full`, `account_not_found`.
   */
  readonly begin: (userId: string, email: string) => Promise<PasskeyCreation>;
  /**
   * Takes a new one into use. If it is the person's first second factor it gives the recovery codes, and by the same write all sessions
   * end, but for `except`. Refuses with `passkey_refused`, `challenge_invalid`, `passkeys_full`, `passkeys_unavailable`,
   * `account_not_found`.
   */
  readonly add: (
    userId: string,
    name: string,
    made: NewPasskey,
    except?: string,
  ) => Promise<{ readonly recoveryCodes: readonly string[]; readonly isFirst: boolean }>;
  /** True when there was one. */
  readonly remove: (userId: string, passkeyId: string) => Promise<boolean>;
  /** What a browser asks a passkey to sign for something. Refuses with `passkey_missing`, `passkeys_unavailable`. */
  readonly ask: (userId: string, purpose: PasskeyPurpose) => Promise<PasskeyRequest>;
  /**
   * Takes what was signed for it, once, also of two at once. Refuses with `passkey_missing` (of whoever has none), `passkey_refused`,
   * `challenge_invalid`, `passkeys_unavailable`.
   */
  readonly verify: (userId: string, purpose: PasskeyPurpose, signed: PasskeyAssertion) => Promise<void>;
  /**
   * What a browser asks a passkey to sign for a challenge that was made elsewhere; undefined where there is none that can be read:
   * whoever shows something then is told.
   */
  readonly askFor: (userId: string, challenge: string) => Promise<PasskeyRequest | undefined>;
  /**
   * Takes what was signed for such a challenge, which whoever calls uses up. Refuses with `passkey_missing`, `passkey_refused`,
   * `passkeys_unavailable`.
   */
  readonly verifyFor: (userId: string, challenge: string, signed: PasskeyAssertion) => Promise<void>;
};

type Party = { readonly id: string; readonly origin: string };

/** Where people's browsers are, and so whose their passkeys are; or why they can have none. */
function partyAt(publicUrl: string | undefined): Party | PasskeysRefusal {
  if (publicUrl === undefined) return 'number';
  const { hostname, origin, protocol } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'number';
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isHere ? { id: hostname, origin } : 'insecure';
}

/** The passkeys of people who reach the program at an address, over the store. With no address there are none. */
export function createPasskeys(parts: FactorsParts & { readonly publicUrl?: string | undefined }): Passkeys {
  const { clock } = parts;
  const party = partyAt(parts.publicUrl);
  return {
    refusal: typeof party === 'string' ? party : undefined,
    rpId: typeof party === 'string' ? undefined : party.id,
    listOf: async (userId) => (await readFactors(parts, userId)).factors.passkeys.map(viewOf),
    ...addingPart(parts, party),
    remove: (userId, passkeyId) =>
      changeFactors(parts, userId, (factors) => {
        const passkeys = factors.passkeys.filter((one) => passkeyIdOf(one) !== passkeyId);
        const next = { ...factors, passkeys };
        const isKept = areOn(next) || next.app !== undefined;
        return { next: isKept ? next : undefined, result: passkeys.length < factors.passkeys.length };
      }),
    ask: async (userId, purpose) => {
      const { id } = admitted(party);
      const epoch = await epochOf(parts, userId);
      return changeFactors(parts, userId, (factors) => {
        if (factors.passkeys.length === 0) throw none();
        const { challenge, challenges } = drawn(parts, factors, purpose, epoch);
        return { next: { ...factors, challenges }, result: requestOf(id, challenge, factors) };
      });
    },
    verify: async (userId, purpose, signed) => {
      const { challenge, counter } = await checked(parts, party, userId, signed);
      const epoch = await epochOf(parts, userId);
      await changeFactors(parts, userId, (factors) => ({
        next: used(spent(factors, challenge, purpose, epoch, clock()), signed.id, counter, clock()),
        result: undefined,
      }));
    },
    askFor: async (userId, challenge) => {
      if (typeof party === 'string') return undefined;
      const { factors } = await readFactors(parts, userId).catch((error: unknown) => {
        if (hasCode(error, 'storage_failed')) return { factors: NO_FACTORS };
        throw error;
      });
      return factors.passkeys.length === 0 ? undefined : requestOf(party.id, challenge, factors);
    },
    verifyFor: async (userId, challenge, signed) => {
      const { counter, ...shown } = await checked(parts, party, userId, signed);
      if (shown.challenge !== challenge) throw refused();
      await changeFactors(parts, userId, (factors) => ({
        next: used(factors, signed.id, counter, clock()),
        result: undefined,
      }));
    },
  };
}

/** What makes one. */
function addingPart(parts: FactorsParts, party: Party | PasskeysRefusal): Pick<Passkeys, 'begin' | 'add'> {
  const { clock, random } = parts;
  return {
    begin: async (userId, email) => {
      const { id } = admitted(party);
      const epoch = await epochOf(parts, userId);
      return changeFactors(parts, userId, (factors) => {
        if (factors.passkeys.length >= PASSKEYS_MAX) throw full();
        const { challenge, challenges } = drawn(parts, factors, 'new', epoch);
        const result: PasskeyCreation = {
          rp: { id, name: NAME },
          // Nothing that says who it is to whoever finds the authenticator's memory.
          user: { id: handleOf(userId), name: email, displayName: email },
          challenge,
          pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
          timeout: PASSKEY_CHALLENGE_MS,
          excludeCredentials: factors.passkeys.map(descriptorOf),
          authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
          attestation: 'none',
        };
        return { next: { ...factors, challenges }, result };
      });
    },
    add: async (userId, name, made, except) => {
      const { challenge, ...key } = await inspected(admitted(party), made);
      const epoch = await epochOf(parts, userId);
      return changeFactors(parts, userId, (before) => {
        const factors = spent(before, challenge, 'new', epoch, clock());
        if (factors.passkeys.some(({ id }) => id === key.id)) throw refused();
        if (factors.passkeys.length >= PASSKEYS_MAX) throw full();
        const passkeys = [...factors.passkeys, { ...key, name, addedAt: clock() }];
        const { codes, recovery } = firstCodes(factors, random);
        const isFirst = !areOn(factors);
        // What was begun without a factor is not to be ended where there is one: anybody may have begun it.
        const next = { ...(isFirst ? NO_FACTORS : factors), recovery, passkeys };
        return { next, ...(isFirst && { ends: { except } }), result: { recoveryCodes: codes, isFirst } };
      });
    },
  };
}

/** Who people are here to their authenticators, unless they can have none. */
function admitted(party: Party | PasskeysRefusal): Party {
  if (typeof party !== 'string') return party;
  throw new LodeError(
    'passkeys_unavailable',
    party === 'number'
      ? 'Passkeys need an address with a name: browsers give none to one that is a number.'
      : 'Passkeys need an address that begins with https://.',
  );
}

/** Something new to sign, among what the person was asked to sign already. */
function drawn(
  { clock, random }: Pick<FactorsParts, 'clock' | 'random'>,
  { challenges }: Factors,
  purpose: string,
  epoch: number,
): { readonly challenge: string; readonly challenges: readonly PasskeyChallenge[] } {
  const challenge = randomSecret(random);
  const open = challenges.filter(({ expiresAt }) => expiresAt > clock());
  const next = { hash: sha256(challenge), purpose, expiresAt: clock() + PASSKEY_CHALLENGE_MS, epoch };
  return { challenge, challenges: [...open, next].slice(-CHALLENGES_MAX) };
}

/** What is left once a challenge is used up, which was for this, is in time, and is of the password of now. */
function spent(factors: Factors, challenge: string, purpose: string, epoch: number, now: number): Factors {
  const hash = sha256(challenge);
  const found = factors.challenges.find((one) => one.hash === hash);
  if (found?.purpose !== purpose || found.epoch !== epoch || found.expiresAt <= now)
    throw new LodeError('challenge_invalid', 'This took too long or was done already. Please try again.');
  return { ...factors, challenges: factors.challenges.filter((one) => one !== found) };
}

/** What is left once a passkey has signed: one that counts, counts on, or there are two of it. */
function used(factors: Factors, id: string, counter: number, now: number): Factors {
  const passkey = factors.passkeys.find((one) => one.id === id);
  if (passkey === undefined) throw refused();
  if (passkey.counter >= counter && (passkey.counter > 0 || counter > 0)) throw refused();
  const next = { ...passkey, counter, usedAt: now };
  return { ...factors, passkeys: factors.passkeys.map((one) => (one === passkey ? next : one)) };
}

/** What somebody signed, by one of their passkeys; its challenge was not looked at yet. */
async function checked(
  parts: FactorsParts,
  party: Party | PasskeysRefusal,
  userId: string,
  { id, response }: PasskeyAssertion,
): Promise<{ readonly challenge: string; readonly counter: number }> {
  const here = admitted(party);
  const { factors } = await readFactors(parts, userId);
  if (factors.passkeys.length === 0) throw none();
  const passkey = factors.passkeys.find((one) => one.id === id);
  if (passkey === undefined) throw refused();
  return refusing(async () => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    if (await isEmbedded(response.clientDataJSON)) return undefined;
    const { expected, challenge } = expectedAt(here);
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: { ...WHOLE, id, rawId: id, response } satisfies AuthenticationResponseJSON,
      credential: {
        id,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    });
    return verified ? { challenge: challenge(), counter: authenticationInfo.newCounter } : undefined;
  });
}

/** What a browser made; its challenge was not looked at yet. */
async function inspected(
  here: Party,
  { id, response: { transports = [], ...response } }: NewPasskey,
): Promise<
  Pick<KeptPasskey, 'id' | 'publicKey' | 'counter' | 'transports'> & { readonly challenge: string }
> {
  return refusing(async () => {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    if (!(await isUnattested(response.attestationObject))) return undefined;
    if (await isEmbedded(response.clientDataJSON)) return undefined;
    const { expected, challenge } = expectedAt(here);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response: { ...WHOLE, id, rawId: id, response } satisfies RegistrationResponseJSON,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    // The one that was signed for, whatever the message calls it.
    if (!verified || registrationInfo.credential.id !== id) return undefined;
    const { publicKey, counter } = registrationInfo.credential;
    return {
      challenge: challenge(),
      id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: knownOf(transports),
    };
  });
}

/**
 * What is asked of whatever was signed or made for people who are here, and the challenge that it has: that is looked at once the
 * rest is right.
 */
function expectedAt({ id: expectedRPID, origin }: Party) {
  let challenge = '';
  const expectedChallenge = (given: string) => {
    challenge = given;
    return true;
  };
  const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID, requireUserVerification: true };
  return { expected, challenge: () => challenge };
}

/** What messages of browsers have that says nothing here. */
const WHOLE = { type: 'public-key', clientExtensionResults: {} } as const;

/**
 * Whether nobody vouches for the authenticator, as was asked for. A certificate that came along would have addresses in it that
 * checking it asks.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** Whether it was signed in a page that another site shows inside its own, where people don't see what they sign for. */
async function isEmbedded(clientDataJSON: string): Promise<boolean> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  return decodeClientDataJSON(clientDataJSON).crossOrigin === true;
}

/** What can't be read or is not as it should be is refused, whatever is wrong with it. */
async function refusing<T>(work: () => Promise<T | undefined>): Promise<T> {
  const result = await work().catch((cause: unknown) => {
    throw isLodeError(cause) ? cause : refused(cause);
  });
  if (result === undefined) throw refused();
  return result;
}

function requestOf(rpId: string, challenge: string, { passkeys }: Factors): PasskeyRequest {
  return {
    challenge,
    timeout: PASSKEY_CHALLENGE_MS,
    rpId,
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: 'required',
  };
}

function descriptorOf({ id, transports }: KeptPasskey): Descriptor {
  return { id, type: 'public-key', transports: knownOf(transports) };
}

function knownOf(transports: readonly string[]): Transport[] {
  return PASSKEY_TRANSPORTS.filter((known) => transports.includes(known));
}

function viewOf(passkey: KeptPasskey): PasskeyView {
  const { name, addedAt, usedAt } = passkey;
  return { passkeyId: passkeyIdOf(passkey), name, addedAt, ...(usedAt === undefined ? {} : { usedAt }) };
}

/** What a passkey is called in addresses: ids of credentials can be long. */
function passkeyIdOf({ id }: KeptPasskey): string {
  return sha256(id).slice(0, 32);
}

function handleOf(userId: string): string {
  return Buffer.from(uuidV5(HANDLES, userId).replaceAll('-', ''), 'hex').toString('base64url');
}

function refused(cause?: unknown): LodeError {
  return new LodeError('passkey_refused', 'This passkey could not be used. Please try again.', {}, { cause });
}

function none(): LodeError {
  return new LodeError('passkey_missing', 'You have no passkey. Please use another way.');
}

function full(): LodeError {
  return new LodeError(
    'passkeys_full',
    `You can have ${PASSKEYS_MAX} passkeys at most. Please remove one first.`,
  );
}
