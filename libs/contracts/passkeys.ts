import { z } from 'zod';
import { atMost, filledLine } from './typed.js';

/** What a passkey can sign for; what was asked for for one thing is worth nothing for another. */
export const passkeyPurposes = ['transfer', 'withdrawal', 'security', 'second factor', 'step-up'] as const;

/** As browsers know them (WebAuthn, section 5.8.4). */
const transports = z
  .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
  .meta({ description: 'How the browser reaches it' });
const PASSKEY = 'Please use your passkey.';
/** Bytes as base64url. */
const bytes = (max: number) =>
  z
    .string(PASSKEY)
    .min(1, PASSKEY)
    .max(max, atMost(max))
    .regex(/^[A-Za-z0-9_-]+$/, PASSKEY)
    .meta({ description: 'base64url' });
/** An id has at most 1,023 bytes. */
const credentialId = bytes(1_364);

/** What browsers send along that is not looked at. */
const alongside = {
  rawId: credentialId.optional(),
  type: z.literal('public-key').optional(),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
};

/** What a browser made: `toJSON()` of the credential. */
export const newPasskey = z.object({
  ...alongside,
  id: credentialId,
  response: z.object({
    authenticatorData: bytes(8_192).optional(),
    publicKey: bytes(4_096).nullish(),
    publicKeyAlgorithm: z.int().optional(),
    clientDataJSON: bytes(4_096),
    attestationObject: bytes(8_192),
    transports: z
      .array(z.string().max(32, atMost(32)))
      .max(16)
      .optional(),
  }),
});
/** What a passkey signed: `toJSON()` of the credential. */
export const passkeyAssertion = z
  .object({
    ...alongside,
    id: credentialId,
    response: z.object({
      userHandle: bytes(128).nullish(),
      clientDataJSON: bytes(4_096),
      authenticatorData: bytes(4_096),
      signature: bytes(4_096),
    }),
  })
  .meta({ description: 'What a passkey signed, as the browser gives it (`toJSON()`)' });

const challenge = z.string().meta({ description: 'To be signed within five minutes, and once; base64url' });
const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports });
const timeout = z.int().meta({ description: 'Milliseconds' });

/** `PublicKeyCredentialRequestOptionsJSON`. */
export const passkeyRequest = z
  .object({
    challenge,
    timeout,
    rpId: z.string(),
    allowCredentials: z.array(descriptor),
    userVerification: z.literal('required'),
  })
  .meta({ description: 'For `navigator.credentials.get`, as `PublicKeyCredentialRequestOptionsJSON`' });
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyCreation = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge,
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout,
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('preferred'),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ description: 'For `navigator.credentials.create`, as `PublicKeyCredentialCreationOptionsJSON`' });
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

const NAME = 'Please give it a name.';
export const addPasskeyBody = z.object({
  name: filledLine(60, NAME).meta({ description: 'What its owner calls it' }),
  passkey: newPasskey,
});
export const askPasskeyBody = z.object({
  for: z.enum(passkeyPurposes).meta({ description: 'What is to be signed for, and nothing else' }),
});
export const passkeyId = z.string().regex(/^[a-f0-9]{32}$/, 'There is no such passkey.');
