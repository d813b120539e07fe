import { skipToken } from '@reduxjs/toolkit/query/react';
import { useRequestEventsQuery, type SessionUser } from '../../api';
import { foundRequest, requestIdIn, type FoundId, type RequestKind } from './found-id';

/** Events that are looked at for the one that a request begins with. */
const EVENTS = 10;
const begun = /^(Funding|Withdrawal|Transfer)Requested$/;

/** What an id leads to that an admin typed or pasted: anybody’s request. */
export function useAnyFoundId(_user: SessionUser, typed: string): FoundId {
  const id = requestIdIn(typed);
  const asked = useRequestEventsQuery(
    id === undefined ? skipToken : { requestId: id, order: 'oldest', limit: EVENTS },
  );
  if (id === undefined) return { phase: 'none' };
  if (asked.isFetching) return { phase: 'looking' };
  if (asked.currentData === undefined) return { phase: 'failed' };
  for (const { type, stream } of asked.currentData.items) {
    const kind = begun.exec(type)?.[1] as RequestKind | undefined;
    if (kind !== undefined)
      return { phase: 'found', thing: foundRequest(kind, stream.replace(/^account-/, ''), id) };
  }
  return { phase: 'unknown' };
}
