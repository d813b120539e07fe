import { skipToken } from '@reduxjs/toolkit/query/react';
import { PAGE_SIZE_MAX } from '#contracts';
import {
  hasCode,
  useFundRequestQuery,
  useReceivedTransfersQuery,
  useTransferQuery,
  useWithdrawalQuery,
  type SessionUser,
} from '../../api';
import { transferHistoryOf } from '../paths';
import { foundRequest, requestIdIn, type FoundId } from './found-id';

/** What an id leads to that was typed or pasted: a customer’s own request, or what they got. */
export function useOwnFoundId({ userId }: SessionUser, typed: string): FoundId {
  const id = requestIdIn(typed);
  const one = id === undefined ? skipToken : { userId, requestId: id };
  const asked = {
    Funding: useFundRequestQuery(one),
    Withdrawal: useWithdrawalQuery(one),
    Transfer: useTransferQuery(one),
  };
  const received = useReceivedTransfersQuery(id === undefined ? skipToken : { userId, limit: PAGE_SIZE_MAX });
  if (id === undefined) return { phase: 'none' };
  const kinds = ['Funding', 'Withdrawal', 'Transfer'] as const;
  const kind = kinds.find((name) => asked[name].currentData !== undefined);
  if (kind !== undefined) return { phase: 'found', thing: foundRequest(kind, userId, id) };
  if (received.currentData?.items.some((transfer) => transfer.id === id) === true)
    return {
      phase: 'found',
      thing: { label: `Transfer received ${id}`, to: `${transferHistoryOf(userId)}?tab=received` },
    };
  if (received.isFetching || kinds.some((name) => asked[name].isFetching)) return { phase: 'looking' };
  const isKnown = kinds.every((name) => hasCode(asked[name].error, 'request_not_found'));
  if (!isKnown || received.currentData === undefined) return { phase: 'failed' };
  return { phase: received.currentData.next === null ? 'unknown' : 'unknown so far' };
}
