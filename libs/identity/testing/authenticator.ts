import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { NewPasskey, PasskeyAssertion } from '#identity';

/** What an authenticator is told of a new passkey, or of something to sign. */
type Asked = { readonly challenge: string };
type Creation = Asked & { readonly rp: { readonly id: string } };
type Request = Asked & {
  readonly rpId: string;
  readonly allowCredentials: readonly { readonly id: string }[];
};

/** What is to be other than it should be. */
export type Bent = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Another site shows the page inside its own. */
  readonly isEmbedded?: boolean;
  /** The person wasn't verified. */
  readonly isUnverified?: boolean;
  readonly counter?: number;
  /** The id of the passkey that it says it is. */
  readonly id?: string;
  /** The id that a new one takes; base64url. */
  readonly takes?: string;
  /** Who vouches for it. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, unknown> };
};

/** An authenticator without a body, which makes passkeys and signs with them as WebAuthn says, at a browser of an origin. */
export type Authenticator = {
  readonly make: (options: Creation, bent?: Bent) => NewPasskey & Whole;
  readonly sign: (options: Request, bent?: Bent) => PasskeyAssertion & Whole;
};

type Whole = ReturnType<typeof wholeOf>;

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** An authenticator that counts what it signs, or, as those that share their passkeys, does not. */
export function createAuthenticator(origin: string, isCounting = false): Authenticator {
  const keys = new Map<string, KeyObject>();
  let count = 0;
  const clientData = (type: string, challenge: string, bent: Bent) =>
    Buffer.from(
      JSON.stringify({
        type: bent.type ?? type,
        challenge: bent.challenge ?? challenge,
        origin: bent.origin ?? origin,
        crossOrigin: bent.isEmbedded ?? false,
      }),
    );
  const authData = (rpId: string, bent: Bent, key?: Uint8Array) => {
    if (isCounting) count += 1;
    const flags = USER_PRESENT | (bent.isUnverified === true ? 0 : USER_VERIFIED) | (key ? HAS_KEY : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(bent.counter ?? count);
    return Buffer.concat([sha256(bent.rpId ?? rpId), Buffer.of(flags), counter, key ?? Buffer.alloc(0)]);
  };

  return {
    make: ({ challenge, rp }, bent = {}) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = bent.takes === undefined ? randomBytes(16) : Buffer.from(bent.takes, 'base64url');
      keys.set(id.toString('base64url'), privateKey);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const key = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const attested = { fmt: 'none', attStmt: new Map<string, unknown>(), ...bent.attestation };
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', attested.fmt],
          ['attStmt', attested.attStmt],
          ['authData', Uint8Array.from(authData(rp.id, bent, key))],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      return {
        ...wholeOf(bent.id ?? id.toString('base64url')),
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, bent).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    sign: ({ challenge, rpId, allowCredentials }, bent = {}) => {
      const id = allowCredentials.map((one) => one.id).find((one) => keys.has(one)) ?? [...keys.keys()][0];
      const key = keys.get(id ?? '');
      if (id === undefined || key === undefined) throw new Error('this authenticator has no passkey');
      const data = authData(rpId, bent);
      const client = clientData('webauthn.get', challenge, bent);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key);
      return {
        ...wholeOf(bent.id ?? id),
        response: {
          userHandle: 'AAAA',
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

/** What browsers give beside what was signed. */
function wholeOf(id: string) {
  return {
    id,
    rawId: id,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: { credProps: { rk: true } },
  } as const;
}

/** A public key on P-256 as COSE has it (RFC 9053). */
function coseOf(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]),
  );
}

function sha256(data: Uint8Array | string): Buffer {
  return createHash('sha256').update(data).digest();
}
