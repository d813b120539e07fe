import type { PasskeyCreation, PasskeyRequest } from '#contracts';
import { base64UrlOf, bytesOf } from './bytes';
import { passkeyLack } from './lack';

/** What a browser made, as the service takes it. */
export type MadePasskey = {
  readonly id: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: string[];
  };
};

/** What a passkey signed, as the service takes it. */
export type SignedByPasskey = {
  readonly id: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
};

/** What the browser gave, or why it gave nothing, for the person to read. */
type Outcome<Given> = { readonly passkey: Given } | { readonly said: string };

/** What is said when the person closed the browser's window or let its time go by: that is no fault. */
const CANCELED = 'No passkey was used. Try again when you are ready.';
const NOT_MADE = 'No passkey was made. Try again when you are ready.';
const KNOWN = 'This device has a passkey for your account already.';
const FAILED = 'Your browser could not use a passkey. Please try again.';

/** Has the browser make a passkey, which asks its person. Never rejects. */
export async function makePasskey(options: PasskeyCreation): Promise<Outcome<MadePasskey>> {
  const lack = passkeyLack(options.rp.id);
  if (lack !== undefined) return { said: lack };
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(described),
  };
  try {
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
    if (made === null) return { said: NOT_MADE };
    const response = made.response as AuthenticatorAttestationResponse;
    return {
      passkey: {
        id: made.id,
        type: 'public-key',
        response: {
          clientDataJSON: base64UrlOf(response.clientDataJSON),
          attestationObject: base64UrlOf(response.attestationObject),
          transports: response.getTransports(),
        },
      },
    };
  } catch (error) {
    return { said: wordsOf(error, NOT_MADE) };
  }
}

/** Has a passkey sign, which asks its person. Never rejects. */
export async function signByPasskey(options: PasskeyRequest): Promise<Outcome<SignedByPasskey>> {
  const lack = passkeyLack(options.rpId);
  if (lack !== undefined) return { said: lack };
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: options.allowCredentials.map(described),
  };
  try {
    const signed = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null;
    if (signed === null) return { said: CANCELED };
    const { clientDataJSON, authenticatorData, signature } =
      signed.response as AuthenticatorAssertionResponse;
    return {
      passkey: {
        id: signed.id,
        type: 'public-key',
        response: {
          clientDataJSON: base64UrlOf(clientDataJSON),
          authenticatorData: base64UrlOf(authenticatorData),
          signature: base64UrlOf(signature),
        },
      },
    };
  } catch (error) {
    return { said: wordsOf(error, CANCELED) };
  }
}

/** A passkey of the person's, as the browser is told of it. */
function described({ id, type, transports }: PasskeyRequest['allowCredentials'][number]) {
  // The browser's own types don't know `cable` and `smart-card`, which it passes over where it doesn't know them either.
  return { id: bytesOf(id), type, transports: transports as AuthenticatorTransport[] };
}

/** By the names of WebAuthn, sections 5.1.3 and 5.1.4. */
function wordsOf(error: unknown, canceled: string): string {
  const name = (error as Partial<Error> | undefined)?.name;
  if (name === 'NotAllowedError' || name === 'AbortError') return canceled;
  return name === 'InvalidStateError' ? KNOWN : FAILED;
}
