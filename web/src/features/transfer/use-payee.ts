import { skipToken } from '@reduxjs/toolkit/query/react';
import { ACCOUNT_NUMBER_LENGTH } from '#contracts';
import { asApiError, hasCode, useAccountHolderQuery } from '../../api';

const FAILED = 'Error fetching account information.';

/** Whom an account number belongs to. */
export type Payee =
  /** Nothing is typed, or the look-up is under way. */
  | { readonly kind: 'unknown'; readonly looking: boolean }
  /** A customer here: the money stays on the platform. */
  | { readonly kind: 'customer'; readonly name: string; readonly again: () => void }
  /** Nobody here; `said` is what the look-up answered, where there was one. */
  | { readonly kind: 'bank'; readonly said?: string }
  /** The look-up refused the number, or failed. */
  | { readonly kind: 'refused'; readonly message: string; readonly retry?: () => void };

/** An account number as it is sent: without the blanks that people group digits with. */
export function plainNumber(text: string): string {
  return text.replace(/\s/g, '');
}

/** Looks a number up as soon as it has the length of a customer's. */
export function usePayee(typed: string): Payee {
  const accountNumber = plainNumber(typed);
  const isLookedUp = accountNumber.length === ACCOUNT_NUMBER_LENGTH;
  const { currentData, error, isFetching, refetch } = useAccountHolderQuery(
    isLookedUp ? { accountNumber } : skipToken,
  );
  if (accountNumber === '') return { kind: 'unknown', looking: false };
  if (!isLookedUp) return { kind: 'bank' };
  const again = () => void refetch();
  // What was found once is kept beside the refusal of a later look-up.
  if (currentData !== undefined && error === undefined)
    return { kind: 'customer', name: currentData.accountName, again };
  if (isFetching || error === undefined) return { kind: 'unknown', looking: true };
  const known = asApiError(error);
  if (known?.kind !== 'problem' || known.status >= 500)
    return { kind: 'refused', message: FAILED, retry: again };
  if (hasCode(error, 'account_number_unknown')) return { kind: 'bank', said: known.detail };
  return { kind: 'refused', message: known.detail };
}
