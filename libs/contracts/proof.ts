import { z } from 'zod';
import { appCode, password, transferPin } from './auth.js';
import { passkeyAssertion } from './passkeys.js';

/*
 * What whoever is signed in proves with that it is they who ask: a stolen access token has none of it. It is no part of
 * the request itself, and a repeat is answered without it.
 */
const AGAIN = 'Refused with `proof_missing` without it, unless the request is a repeat';

/** For money that leaves the account. */
export const moneyProof = z
  .object({
    pin: transferPin.optional(),
    password: password.optional(),
    passkey: passkeyAssertion.optional(),
  })
  .meta({ description: `The transfer pin, the password or a passkey. ${AGAIN}` });

/** The same for a transfer, whose pin has a place of its own. */
export const transferProof = z
  .object({ passkey: passkeyAssertion.optional() })
  .meta({ description: `A passkey, in the place of the pin. ${AGAIN}` });

/** For what guards the account: never the pin alone, which is for money. */
export const securityProof = z
  .object({
    password: password.optional(),
    code: appCode.optional(),
    passkey: passkeyAssertion.optional(),
  })
  .meta({
    description: `A passkey, or the password, with a code where the second factor is on. ${AGAIN}`,
  });
