import { LodeError } from '#kernel';

/** The refusal of what an earlier holder writes. */
export function replaced(name: string): LodeError {
  return new LodeError('conflict', `Another program runs the ${name} now.`);
}
