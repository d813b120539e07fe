import type { SecondFactorState } from '#contracts';

/**
 * Why no passkey can be made or used on this page, for the person to read; undefined where one can. `rpId` is the host that
 * they belong to, where it is known: a browser uses them there and below it, and the service takes them from there alone.
 */
export function passkeyLack(rpId?: string): string | undefined {
  const { hostname } = location;
  if (isNumber(hostname)) return passkeyLacks.number;
  if (!globalThis.isSecureContext) return passkeyLacks.insecure;
  if (typeof PublicKeyCredential === 'undefined')
    return 'This browser has no passkeys. Please use another one, or a newer version.';
  if (rpId === undefined || hostname === rpId) return undefined;
  return `Passkeys belong to ${rpId} here. Please open your account at that address.`;
}

/** The same, by what the service says of passkeys. */
export function passkeyLackFor({
  passkeysRefused,
  rpId,
}: Pick<SecondFactorState, 'passkeysRefused' | 'rpId'>) {
  return passkeysRefused === null ? passkeyLack(rpId ?? undefined) : passkeyLacks[passkeysRefused];
}

/** The reasons that the service knows, too. */
const passkeyLacks = {
  number: 'Browsers give no passkeys to an address that is a number. Your account needs one with a name.',
  insecure: 'Browsers give passkeys to secure addresses alone, which begin with https.',
} as const;

/** An address of version 4, or one of version 6, which stands in brackets. */
function isNumber(hostname: string): boolean {
  return /^(?:[\d.]+|\[.*\])$/.test(hostname);
}
