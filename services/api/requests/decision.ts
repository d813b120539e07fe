import type { DecisionAnswer } from '#contracts';
import type { Position } from '#kernel';

/** Letters and digits of a request's id (specification, section 3). */
export const REQUEST_ID_LENGTH = 34;

/** The answer to whoever confirmed a request. */
export function confirmed(requestId: string, position: Position): DecisionAnswer {
  return { requestId, status: 'confirmed', position, message: 'Transaction approved successfully!' };
}

/** The answer to whoever rejected a request. */
export function rejected(requestId: string, position: Position): DecisionAnswer {
  return { requestId, status: 'rejected', position, message: 'Transaction rejected successfully!' };
}
