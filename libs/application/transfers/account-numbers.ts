import { ACCOUNT_NUMBER_LENGTH } from '#contracts';
import type { BucketsOf } from '#identity';
import { LodeError } from '#kernel';
import type { Receiver } from '#ledger';
import type { AccountDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import { nameOf } from '../people/names.js';

/** A customer who can take transfers. */
export type Holder = Receiver & { readonly accountName: string };

/** Look-ups that one person may make at once, and how long until there may be one more, in milliseconds. */
const ALLOWANCE = { burst: 30, everyMs: 20_000 };

export type AccountNumbers = {
  /**
   * The customer whose account number it is, for `askedBy`; undefined when it is nobody's here. Refuses with
   * `account_number_unusable` (a customer who can't take transfers) and with `rate_limited`: numbers are not to be tried
   * out one after the other.
   */
  readonly holderOf: (accountNumber: string, askedBy: string) => Promise<Holder | 'an admin' | undefined>;
};

/** Looks account numbers up in the read model. */
export function createAccountNumbers(
  store: Pick<ReadStoreReader, 'list'>,
  bucketsOf: BucketsOf,
): AccountNumbers {
  const allowances = bucketsOf('account numbers', ALLOWANCE);
  return {
    holderOf: async (accountNumber, askedBy) => {
      if (accountNumber.length !== ACCOUNT_NUMBER_LENGTH) return undefined;
      const waitMs = await allowances.take(askedBy);
      if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
      const [account] = await store.list<AccountDocument>('accounts', {
        index: 'number',
        equals: {},
        direction: 'ascending',
        from: accountNumber,
        limit: 1,
      });
      if (account?.accountNumber !== accountNumber) return undefined;
      if (account.role !== 'user') return 'an admin';
      const accountName = nameOf(account);
      if (account.status !== 'active' || accountName === '') throw unusable();
      return { userId: account.userId, accountNumber, accountName };
    },
  };
}

/** The refusal of an account that can't take transfers (specification, section 8). */
export function unusable(): LodeError {
  return new LodeError('account_number_unusable', 'User data is incomplete.');
}

function tooMany(retryAfterSeconds: number): LodeError {
  return new LodeError('rate_limited', 'Too many look-ups. Wait a little and try again.', {
    retryAfterSeconds,
  });
}
