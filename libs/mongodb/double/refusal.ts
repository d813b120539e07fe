import type { Doc } from './values.js';

/** The server's names of its error codes, as far as the double answers with them. */
const names = {
  2: 'BadValue',
  9: 'FailedToParse',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  59: 'CommandNotFound',
  64: 'WriteConcernTimeout',
  66: 'ImmutableField',
  72: 'InvalidOptions',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  115: 'CommandNotSupported',
  121: 'DocumentValidationFailure',
  10107: 'NotWritablePrimary',
  11000: 'DuplicateKey',
  14031: 'OutOfDiskSpace',
  51175: 'Location51175',
} as const;

export type RefusalCode = keyof typeof names;

/** What the server answers with an error instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly more: Doc = {},
  ) {
    super(message);
  }

  get codeName(): string {
    return names[this.code];
  }
}

/** A command, or an option of one, that the double does not have: refused by its name. */
export function unsupported(what: string): Refusal {
  return new Refusal(59, `no such command: the double does not have ${what}`);
}

/** The answer to a command that failed. */
export function failureAnswer(error: unknown): Doc {
  if (error instanceof Refusal)
    return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.more };
  // What the evaluator of filters and updates can't read.
  return { ok: 0, errmsg: String(error), code: 9, codeName: names[9] };
}
