import { skipToken } from '@reduxjs/toolkit/query/react';
import { PAGE_SIZE_MAX } from '#contracts';
import {
  hasCode,
  useFundRequestQuery,
  useReceivedTransfersQuery,
  useRequestEventsQuery,
  useTransferQuery,
  useWithdrawalQuery,
  type SessionUser,
} from '../../api';
import { fundHistoryOf, transferHistoryOf, withdrawalHistoryOf } from '../paths';

/** What an id leads to. */
export type FoundThing = { readonly label: string; readonly to: string };
/** How far a look-up is: `none` where what was typed is no id, `unknown so far` where more was received than is looked at. */
export type FoundId =
  | { readonly phase: 'none' | 'looking' | 'failed' | 'unknown' | 'unknown so far' }
  | { readonly phase: 'found'; readonly thing: FoundThing };

const REQUEST_ID = /^[A-Za-z0-9]{34}$/;
/** Events that are looked at for the one that a request begins with. */
const EVENTS = 10;

const lists = {
  Funding: fundHistoryOf,
  Withdrawal: withdrawalHistoryOf,
  Transfer: transferHistoryOf,
} as const;
const names = { Funding: 'Fund request', Withdrawal: 'Withdrawal', Transfer: 'Transfer' } as const;
const begun = /^(Funding|Withdrawal|Transfer)Requested$/;

/** A request in the list of its kind, whose address opens it. */
function thingOf(kind: keyof typeof lists, userId: string, id: string): FoundThing {
  return { label: `${names[kind]} ${id}`, to: `${lists[kind](userId)}?request=${id}` };
}

/** What an id leads to that was typed or pasted: a customer’s own request, or what they got; for an admin anybody’s request. */
export function useFoundId({ userId, role }: SessionUser, typed: string): FoundId {
  const id = REQUEST_ID.test(typed.trim()) ? typed.trim() : undefined;
  const own = useOwn(userId, role === 'user' ? id : undefined);
  const any = useAny(role === 'admin' ? id : undefined);
  if (id === undefined) return { phase: 'none' };
  return role === 'admin' ? any : own;
}

function useOwn(userId: string, id: string | undefined): FoundId {
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
  if (kind !== undefined) return { phase: 'found', thing: thingOf(kind, userId, id) };
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

function useAny(id: string | undefined): FoundId {
  const asked = useRequestEventsQuery(
    id === undefined ? skipToken : { requestId: id, order: 'oldest', limit: EVENTS },
  );
  if (id === undefined) return { phase: 'none' };
  if (asked.isFetching) return { phase: 'looking' };
  if (asked.currentData === undefined) return { phase: 'failed' };
  for (const { type, stream } of asked.currentData.items) {
    const kind = begun.exec(type)?.[1] as keyof typeof lists | undefined;
    if (kind !== undefined)
      return { phase: 'found', thing: thingOf(kind, stream.replace(/^account-/, ''), id) };
  }
  return { phase: 'unknown' };
}
