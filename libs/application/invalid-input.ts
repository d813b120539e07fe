import { LodeError } from '#kernel';

/** What went wrong with one member of the input; `path` has its names, separated by dots. */
export type Issue = { readonly path: string; readonly message: string };

/** Input that is not of the right form, or names what is not there. */
export class InvalidInput extends LodeError {
  constructor(readonly issues: readonly Issue[]) {
    super('validation_failed', issues[0]?.message ?? 'The request is not valid.');
  }
}
