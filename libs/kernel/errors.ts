/**
 * The closed list of error codes. A code is a promise to callers: it is never renamed, and the one table that turns
 * codes into HTTP statuses lives in `services/api`. The `domain` half is what a decision may answer; the `edge` half is
 * what the house around it may answer.
 */
export const errorCodes = [
  // decisions
  'amount_invalid',
  'evidence_missing',
  'evidence_in_use',
  'deposit_address_changed',
  'terms_changed',
  'account_not_found',
  'account_exists',
  'account_suspended',
  'email_unverified',
  'account_closed',
  'account_not_empty',
  'request_not_found',
  'request_exists',
  'request_closed',
  'request_already_confirmed',
  'already_approved',
  'approval_expired',
  'insufficient_balance',
  'wallet_address_missing',
  'wallet_address_differs',
  'wallet_address_in_force',
  'transfer_to_self',
  'account_number_unknown',
  'account_number_unusable',
  'invitation_invalid',
  'invitation_not_found',
  'invitation_used',
  'not_a_customer',
  'own_request',
  'product_not_found',
  'product_exists',
  'setting_invalid',
  'message_not_found',
  'not_permitted',
  'pin_invalid',
  'pin_missing',
  'pin_wrong',
  'pin_locked',
  'proof_missing',
  'money_out_waits',
  // identity
  'invalid_credentials',
  'email_exists',
  'password_policy',
  'link_invalid',
  'challenge_invalid',
  'second_factor_wrong',
  'second_factor_missing',
  'second_factor_on',
  'passkey_refused',
  'passkey_missing',
  'passkeys_full',
  'passkeys_unavailable',
  'second_factor_required',
  'password_change_required',
  'step_up_required',
  'duty_missing',
  'account_active',
  'token_missing',
  'token_invalid',
  'token_expired',
  'too_many_attempts',
  // files
  'file_missing',
  'file_empty',
  'file_type',
  'file_too_large',
  'file_not_found',
  'range_not_satisfiable',
  'quota_exceeded',
  'upload_canceled',
  // the audit
  'event_not_found',
  // the machinery
  'backups_elsewhere',
  // the edge
  'validation_failed',
  'malformed_json',
  'body_too_large',
  'media_type',
  'content_encoding',
  'not_acceptable',
  'method_not_allowed',
  'idempotency_key_missing',
  'idempotency_key_reused',
  'group_refused',
  'route_not_found',
  'rate_limited',
  // the engines
  'conflict',
  'overloaded',
  'unavailable',
  'storage_full',
  'storage_failed',
  'unknown_outcome',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What an error may carry beside its code: only what a caller can act upon, never a secret. */
type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What else an error may be made with. */
type LodeErrorOptions = ErrorOptions & {
  /** What callers are told of an engine's failure: it names no address, file or user. See `callerText`. */
  readonly told?: string;
};

/**
 * A refusal or failure that a caller is told about. `message` is written for the person who reads it (the product's own
 * words where it has them), which is the operator where an engine failed; `code` is for the program. Anything else that is
 * thrown is a bug.
 */
export class LodeError extends Error {
  override readonly name = 'LodeError';
  readonly told?: string;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options: LodeErrorOptions = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    if (options.told !== undefined) this.told = options.told;
  }
}

/** What is told of the failures whose messages are for operators. */
const failureTexts: Readonly<Partial<Record<ErrorCode, string>>> = {
  unavailable: "A part of Lode can't be reached. Try again in a moment.",
  storage_full: 'There is no room to store this.',
  storage_failed: "What is stored can't be read or written. An operator has to look.",
  unknown_outcome: "We don't know yet whether this was done. Send it again: it is never done twice.",
  internal: 'Something went wrong.',
};

/**
 * What a caller may be told of an error. The message of an engine's failure is for operators, and may name addresses and
 * files: of that a caller is told what whoever threw it wrote for callers, or else a sentence for its code.
 */
export function callerText({ code, message, told }: Pick<LodeError, 'code' | 'message' | 'told'>): string {
  const text = failureTexts[code];
  return text === undefined ? message : (told ?? text);
}

/** An engine's failure in words that are for callers too: they name no address, file or user. */
export function plainFailure(code: ErrorCode, message: string, options?: ErrorOptions): LodeError {
  return new LodeError(code, message, {}, { ...options, told: message });
}

/** Nobody is known by that id, or no longer: what the ledger and identity both answer. */
export function accountNotFound(): LodeError {
  return new LodeError('account_not_found', 'User not found');
}

/** True for a `LodeError`, also when it crossed a thread or comes from a second copy of this module. */
export function isLodeError(error: unknown): error is LodeError {
  return (
    error instanceof Error &&
    error.name === 'LodeError' &&
    'code' in error &&
    errorCodes.includes(error.code as ErrorCode)
  );
}

/** True for an error of the operating system or of Node with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** The engines' own failures: the same again may well succeed. */
const engineCodes: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'overloaded',
  'conflict',
  'unknown_outcome',
  'storage_full',
  'storage_failed',
]);

/** True when an engine failed and not what was asked of it. */
export function isEngineError(error: unknown): boolean {
  return isLodeError(error) && engineCodes.has(error.code);
}

/** True when an engine failed for everybody, and not because an event of one stream can't be read. */
export function isOutage(error: unknown): boolean {
  return isEngineError(error) && !isDamagedStream(error);
}

function isDamagedStream(error: unknown): boolean {
  return isLodeError(error) && error.code === 'storage_failed' && typeof error.details['stream'] === 'string';
}

/** Characters of an error that are kept with what it befell. */
const ERROR_TEXT_MAX = 500;

/** What an error says, short enough to be kept and shown. */
export function errorText(error: unknown): string {
  return String(error).slice(0, ERROR_TEXT_MAX);
}

/** What of an error crosses a thread or goes into a report; an error that is not the house's own is `internal`. */
export type SerializedError = Pick<LodeError, 'code' | 'message' | 'told'>;

/** The code and the words of an error, as plain data. */
export function serializeError(error: unknown): SerializedError {
  const message = error instanceof Error ? error.message : String(error);
  if (!isLodeError(error)) return { code: 'internal', message };
  const { code, told } = error;
  return { code, message, ...(told === undefined ? {} : { told }) };
}

/** The error that another thread serialized. */
export function deserializeError({
  code,
  message,
  told,
}: Pick<SerializedError, 'message' | 'told'> & { readonly code: string }): LodeError {
  const known = errorCodes.find((one) => one === code) ?? 'internal';
  return new LodeError(known, message, {}, told === undefined ? {} : { told });
}

/** Why an invariant failed: a bug in the program, never something the caller did. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

/** Stops the program's current work when what must always be true is not. It stays on in production. */
export function invariant(condition: boolean, what: string): asserts condition {
  if (!condition) throw new InvariantViolation(what);
}
