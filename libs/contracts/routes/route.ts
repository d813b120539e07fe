import { z } from 'zod';
import type { ErrorCode } from '#kernel';
import { approvalAnswer } from '../approvals.js';
import { reasonBody, requestId, userId } from '../common.js';
import type { AdminAct } from '../duties.js';
import { decisionAnswer } from '../wallet.js';

/**
 * Who may call a route. `self`: the person whose `userId` is in the path. `owner`: that person, or any admin. `visitor`:
 * everybody; a token is ignored. `anyone`: everybody, but a token that is sent must be valid, and says who calls.
 * The server takes this from here and from nowhere else.
 */
export type Access = 'visitor' | 'anyone' | 'signed-in' | 'user' | 'admin' | 'owner' | 'self';

/** A list as a file: one row a line. */
export type ListFile = 'text/csv' | 'application/x-ndjson';

/**
 * When an admin has to have proved within the last five minutes who they are (`POST /api/me/step-up`, or a fresh sign-in).
 * `always` is for what moves money or decides on it, erases, exports people or events, changes prices, addresses to pay to,
 * bonuses, limits, duties, second factors of others, or how admins come in. `as a file` is for lists of people, requests, money
 * or events, of which pages are read without. Everything else is `never`. Customers are not asked: their own routes have proofs.
 */
export type StepUp = 'never' | 'always' | 'as a file';

type ForAdmins = {
  readonly access: 'admin' | 'owner';
  /** What of the matrix of duties it is (`mayOf`): looking is `read`. */
  readonly may: AdminAct;
  /** What it is where the `userId` in the path is another admin's, if that is something else. */
  readonly mayOnAdmins?: AdminAct;
} & (
  | { readonly method: 'GET'; readonly files?: undefined; readonly stepUp: 'always' | 'never' }
  | { readonly method: 'GET'; readonly files: readonly ListFile[]; readonly stepUp: StepUp }
  | {
      readonly method: 'POST' | 'PUT' | 'DELETE';
      readonly files?: undefined;
      readonly stepUp: 'always' | 'never';
    }
);
type ForOthers = {
  readonly access: Exclude<Access, ForAdmins['access']>;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly may?: undefined;
  readonly mayOnAdmins?: undefined;
  readonly stepUp?: undefined;
  /** Types of files that the whole list can be had as, beside pages of it. */
  readonly files?: readonly ListFile[];
};

/** A route. One that admins may call says which of them (`may`), and when they prove again who they are (`stepUp`). */
export type Route = Described & (ForAdmins | ForOthers);

type Described = {
  readonly path: string;
  readonly summary: string;
  readonly tag:
    'Access' | 'Wallet' | 'Requests' | 'Files' | 'Content' | 'Administration' | 'Audit' | 'Operations';
  /** A command: needs an Idempotency-Key and answers with a position. */
  readonly command?: true;
  /** Changes nothing, and is sent with a body since no address has room for what it asks about. */
  readonly asks?: true;
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
  /** The answer is a file to be kept, whose name comes with it. */
  readonly download?: true;
  /** Admins who have to set up a second factor before anything else may call it before that. */
  readonly beforeSecondFactor?: true;
  /** Customers who have to choose a password of their own before anything else may call it before that. */
  readonly beforeOwnPassword?: true;
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
  may: 'decide on money',
  stepUp: 'always',
  command: true,
  params: ofRequest,
  body: reasonBody,
  status: 200,
  answer: decisionAnswer,
  errors: [
    'account_not_found',
    'account_closed',
    'request_not_found',
    'request_closed',
    'not_a_customer',
    'own_request',
  ],
} as const;
export const confirmation = {
  ...decision,
  answer: approvalAnswer,
  errors: [...decision.errors, 'request_already_confirmed', 'already_approved'],
  failed: 'Failed to approve the transaction.',
} as const;
export const rejection = { ...decision, failed: 'Failed to reject the transaction.' } as const;
