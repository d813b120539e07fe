import { z } from 'zod';
import { appCode, password, transferPin } from './auth.js';

/*
 * What whoever is signed in proves with that it is they who ask: a stolen access token has none of it. It is no part of
 * the request itself, and a repeat is answered without it.
 */
const AGAIN = 'Refused with `proof_missing` without it, unless the request is a repeat';

/** For money that leaves the account. */
export const moneyProof = z
  .object({ pin: transferPin.optional(), password: password.optional() })
  .meta({ description: `The transfer pin or the password. ${AGAIN}` });

/** For what guards the account: never the pin alone, which is for money. */
export const securityProof = z
  .object({ password: password.optional(), code: appCode.optional() })
  .meta({ description: `The password, and a code where the second factor is on. ${AGAIN}` });
