import { jest } from '@jest/globals';
import type { PasskeyCreation, PasskeyRequest } from '#contracts';

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

/** What the service asks a browser to sign, and to make, on the page that tests are on. */
export const passkeyRequest: PasskeyRequest = {
  challenge: 'c2lnbiB0aGlz',
  timeout: 300_000,
  rpId: 'localhost',
  allowCredentials: [{ id: 'a2V5', type: 'public-key', transports: ['internal'] }],
  userVerification: 'required',
};
export const passkeyCreation: PasskeyCreation = {
  rp: { id: 'localhost', name: 'Lode' },
  user: { id: 'YW1hcmE', name: 'amara@example.com', displayName: 'amara@example.com' },
  challenge: 'bWFrZSB0aGlz',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  attestation: 'none',
};

/** What the browser of `passkeyBrowser` signs and makes, as the service gets it. */
export const signedByPasskey = {
  id: 'a2V5',
  type: 'public-key',
  response: { clientDataJSON: 'Y2xpZW50', authenticatorData: 'ZGF0YQ', signature: 'c2lnbmVk_-8' },
};
export const madePasskey = {
  id: 'a2V5',
  type: 'public-key',
  response: { clientDataJSON: 'Y2xpZW50', attestationObject: 'bWFkZQ', transports: ['internal'] },
};

/**
 * Gives the page a browser that has passkeys, until the end of the test: each time it is asked, it does what the next of
 * `answers` says, and in the end what is asked.
 */
export function passkeyBrowser(...answers: readonly ('canceled' | 'known')[]) {
  const names = { canceled: 'NotAllowedError', known: 'InvalidStateError' };
  const left = [...answers];
  const answer = <Given>(given: Given): Given => {
    const refusal = left.shift();
    if (refusal !== undefined) throw new DOMException('No.', names[refusal]);
    return given;
  };
  const response = { clientDataJSON: bytes('client') };
  const signature = Uint8Array.from([...new Uint8Array(bytes('signed')), 255, 239]).buffer;
  const signed = { id: 'a2V5', response: { ...response, authenticatorData: bytes('data'), signature } };
  const attestation = { attestationObject: bytes('made'), getTransports: () => ['internal'] };
  const made = { id: 'a2V5', response: { ...response, ...attestation } };
  const get = jest.fn(async (_options: CredentialRequestOptions) => answer(signed));
  const create = jest.fn(async (_options: CredentialCreationOptions) => answer(made));
  const place = (owner: object, name: string, value: unknown) =>
    Object.defineProperty(owner, name, { value, configurable: true });
  place(globalThis, 'isSecureContext', true);
  place(globalThis, 'PublicKeyCredential', function PublicKeyCredential() {});
  place(navigator, 'credentials', { get, create });
  return { get, create };
}

/** Takes it from the page again. */
export function noPasskeyBrowser(): void {
  for (const [owner, name] of [
    [globalThis, 'isSecureContext'],
    [globalThis, 'PublicKeyCredential'],
    [navigator, 'credentials'],
  ] as const)
    Reflect.deleteProperty(owner, name);
}
