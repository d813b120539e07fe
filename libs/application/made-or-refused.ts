import { isEngineError, isLodeError, type LodeError } from '#kernel';

/**
 * The command that is made of what other engines know at the moment, or why there is none: who sends a command again is
 * to have the first answer, also when it could not be made any more. Throws what an engine failed with.
 */
export async function madeOrRefused<C>(make: () => Promise<C>): Promise<C | LodeError> {
  try {
    return await make();
  } catch (error) {
    if (isLodeError(error) && !isEngineError(error)) return error;
    throw error;
  }
}
