import type { ErrorCode } from '#contracts';
import { asApiError, isOutcomeUnknown, isSessionOver, UNKNOWN_OUTCOME, type Failure } from './problems';

/** Why a form was not accepted, and at which of its fields that is said; `form` is none of them. */
export type Refusal<Field extends string> =
  /** The sign-in dialog is open and says why. */
  | { readonly kind: 'session' }
  | { readonly kind: 'refused'; readonly field: Field | 'form'; readonly message: string };

/** From here on the service failed, and did not refuse. */
const FAILURES_FROM = 500;

type Places<Code extends ErrorCode, Field extends string> = {
  /** What is said when the service failed, or could not be reached. */
  readonly failed: string;
  /** Where a code is told of; one that isn't here is told of beside the form. */
  readonly codes?: Partial<Readonly<Record<Code, Field>>>;
  /** The fields whose names are those of the body's members. */
  readonly fields?: readonly Field[];
};

/** What a form says of a refusal: the service's own words at the field that they are about. */
export function refusalOf<Code extends ErrorCode, const Field extends string>(
  error: Failure<Code>,
  { failed, codes = {}, fields = [] }: Places<Code, Field>,
): Refusal<Field> {
  if (isSessionOver(error)) return { kind: 'session' };
  if (isOutcomeUnknown(error)) return { kind: 'refused', field: 'form', message: UNKNOWN_OUTCOME };
  const known = asApiError(error);
  if (known?.kind !== 'problem' || known.status >= FAILURES_FROM)
    return { kind: 'refused', field: 'form', message: failed };
  for (const { path, message } of known.errors) {
    const field = fields.find((name) => name === path);
    if (field !== undefined) return { kind: 'refused', field, message };
  }
  return { kind: 'refused', field: codes[known.code] ?? 'form', message: known.detail };
}
