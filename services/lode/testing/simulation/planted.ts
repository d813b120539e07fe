import type { Aggregates } from '#application';
import { hasCode, type ErrorCode } from '#kernel';

type Accounts = Aggregates['accounts'];

/** What the whole batch was refused with that an append was to write. */
const REFUSALS: readonly ErrorCode[] = ['unavailable', 'storage_full', 'storage_failed', 'overloaded'];

/** Accounts whose commands share the refusal of an append: also those that the log holds already, which need none. */
export function withBatchRefusals(accounts: Accounts): Accounts {
  const underWay = new Map<string, Set<(error: unknown) => void>>();
  return {
    ...accounts,
    execute: (stream, command, context) =>
      new Promise((resolve, reject) => {
        const beside = underWay.get(stream) ?? new Set();
        underWay.set(stream, beside.add(reject));
        void accounts
          .execute(stream, command, context)
          .finally(() => beside.delete(reject))
          .then(resolve, (error: unknown) => {
            reject(error);
            if (REFUSALS.some((code) => hasCode(error, code))) for (const refuse of beside) refuse(error);
          });
      }),
  };
}
