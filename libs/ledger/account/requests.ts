import { LodeError } from '#kernel';
import type { Receiver } from './events.js';
import type { AccountRequest, OpenAccount } from './state.js';

/** The request of a kind, when it still waits for a decision: nothing changes a closed one (specification, section 4). */
export function openRequest<Kind extends AccountRequest['kind']>(
  state: OpenAccount,
  requestId: string,
  kind: Kind,
): Extract<AccountRequest, { kind: Kind }> {
  const request = requestOfKind(state, requestId, kind);
  if (request.status !== 'Pending') throw new LodeError('request_closed', 'Transaction Closed');
  return request;
}

/** Like `openRequest`, but an already confirmed request is refused with its own code (specification, section 4). */
export function openToConfirm<Kind extends AccountRequest['kind']>(
  state: OpenAccount,
  requestId: string,
  kind: Kind,
): Extract<AccountRequest, { kind: Kind }> {
  if (requestOfKind(state, requestId, kind).status === 'confirmed')
    throw new LodeError('request_already_confirmed', 'Transaction already confirmed');
  return openRequest(state, requestId, kind);
}

/** The request of a kind, whatever became of it. Refuses with `request_not_found`. */
export function requestOfKind<Kind extends AccountRequest['kind']>(
  state: OpenAccount,
  requestId: string,
  kind: Kind,
): Extract<AccountRequest, { kind: Kind }> {
  const request = state.requests.get(requestId);
  if (!isOfKind(request, kind)) throw new LodeError('request_not_found', 'There is no such request.');
  return request;
}

function isOfKind<Kind extends AccountRequest['kind']>(
  request: AccountRequest | undefined,
  kind: Kind,
): request is Extract<AccountRequest, { kind: Kind }> {
  return request?.kind === kind;
}

function receiverOf(request: AccountRequest): string | undefined {
  return request.kind === 'transfer' ? request.receiver?.userId : undefined;
}

/** True when this very request was made already. Refuses with `request_exists` when its id names another. */
export function isMade(
  state: OpenAccount,
  requestId: string,
  asked: Pick<AccountRequest, 'kind' | 'amount' | 'currency'> & { readonly receiver?: Receiver | null },
): boolean {
  const known = state.requests.get(requestId);
  if (known === undefined) return false;
  const same =
    known.kind === asked.kind &&
    known.amount === asked.amount &&
    known.currency === asked.currency &&
    receiverOf(known) === asked.receiver?.userId;
  if (!same) throw new LodeError('request_exists', 'There is another request with this id.');
  return true;
}
