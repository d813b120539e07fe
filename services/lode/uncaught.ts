import { explainFailure } from '#engines';
import { isLodeError } from '#kernel';

/** Ends the program with a sentence, or with the stack of what nobody foresaw, at an error that nothing catches. */
export function endAtUncaught(): void {
  process.on('uncaughtException', (error) => {
    const told = explainFailure(error);
    console.error(isLodeError(told) ? told.message : told);
    process.exit(1);
  });
}
