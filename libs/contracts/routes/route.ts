import { z } from 'zod';
import type { ErrorCode } from '#kernel';
import { reasonBody, requestId, userId } from '../common.js';
import { decisionAnswer } from '../wallet.js';

/**
 * Who may call a route. `self`: the person whose `userId` is in the path. `owner`: that person, or any admin. `visitor`:
 * everybody; a token is ignored. `anyone`: everybody, but a token that is sent must be valid, and says who calls.
 * The server takes this from here and from nowhere else.
 */
export type Access = 'visitor' | 'anyone' | 'signed-in' | 'user' | 'admin' | 'owner' | 'self';

/** A list as a file: one row a line. */
export type ListFile = 'text/csv' | 'application/x-ndjson';

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly tag:
    'Access' | 'Wallet' | 'Requests' | 'Files' | 'Content' | 'Administration' | 'Audit' | 'Operations';
  readonly access: Access;
  /** A command: needs an Idempotency-Key and answers with a position. */
  readonly command?: true;
  /** No command, but done once for each Idempotency-Key, which need not be given. */
  readonly repeatable?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The largest body, in bytes, where it is not `BODY_BYTES_MAX`. */
  readonly bodyBytesMax?: number;
  /** Does not count among the requests of an address, and has a limit of its own: others watch Lode by it. */
  readonly uncounted?: true;
  /** The media type of a body that is not JSON. */
  readonly upload?: 'multipart/form-data';
  readonly status: 200 | 201;
  /** Another status that the same answer is given with. */
  readonly otherwise?: 503;
  readonly answer: z.ZodType | 'text/event-stream' | 'text/plain' | 'application/octet-stream';
  /** Types of the stored files that it answers with. */
  readonly media?: readonly string[];
  /** Where what it made is, with members of the answer, or else the caller’s `userId`, in the place of parameters. */
  readonly location?: string;
  /** The answer holds a token: nothing keeps it, and nothing compresses it. */
  readonly secret?: true;
  /** Types of files that the whole list can be had as, beside pages of it. */
  readonly files?: readonly ListFile[];
  /** The answer is a file to be kept, whose name comes with it. */
  readonly download?: true;
  /** Admins who have to set up a second factor before anything else may call it before that. */
  readonly beforeSecondFactor?: true;
  /** What did not get done when the route refuses, as a screen says it; `{reason}` stands for the problem's `detail`. */
  readonly failed?: string;
  /** Codes besides those implied by access, body and `command`. */
  readonly errors: readonly ErrorCode[];
};

/** Why what proves who asks is refused: for money that leaves, and for what guards an account. */
export const passkeyErrors = [
  'passkey_missing',
  'passkey_refused',
  'challenge_invalid',
  'passkeys_unavailable',
] as const;
const proofErrors = ['proof_missing', 'invalid_credentials', 'too_many_attempts', ...passkeyErrors] as const;
export const moneyProofErrors = [...proofErrors, 'pin_missing', 'pin_wrong', 'pin_locked'] as const;
export const securityProofErrors = [...proofErrors, 'second_factor_wrong', 'second_factor_missing'] as const;

/** The path of what belongs to one person. */
export const ofUser = z.object({ userId });
/** The path of one request of a person. */
export const ofRequest = z.object({ userId, requestId });

/** An admin's decision on a request of any kind: what is the same for all of them. */
const decision = {
  method: 'POST',
  tag: 'Administration',
  access: 'admin',
  command: true,
  params: ofRequest,
  body: reasonBody,
  status: 200,
  answer: decisionAnswer,
  errors: ['account_not_found', 'account_closed', 'request_not_found', 'request_closed', 'not_a_customer'],
} as const;
export const confirmation = {
  ...decision,
  errors: [...decision.errors, 'request_already_confirmed'],
  failed: 'Failed to approve the transaction.',
} as const;
export const rejection = { ...decision, failed: 'Failed to reject the transaction.' } as const;
