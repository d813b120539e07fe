import { isEngineError, isLodeError, type LodeError } from '#kernel';

/**
 * Builds the command, or gives the refusal. A repeat must get its first answer even when the command could not be built
 * any more. Throws what an engine failed with.
 */
export async function commandOrRefusal<C>(make: () => Promise<C>): Promise<C | LodeError> {
  try {
    return await make();
  } catch (error) {
    if (isLodeError(error) && !isEngineError(error)) return error;
    throw error;
  }
}
