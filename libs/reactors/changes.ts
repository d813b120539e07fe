import type { Actor, Envelope } from '#kernel';
import { changeDecider, type ChangeEvent, type LedgerEvent } from '#ledger';
import type { Reactor, ReactorCommand } from './reactor.js';

/** What was approved is to be made, in the name of whoever approved it. */
export type ChangeFollowUp = {
  readonly type: 'MakeApprovedChange';
  readonly changeId: string;
  readonly actor: Actor;
  readonly session?: string;
};

/** Makes what a second admin approved, where the program that took the approval ended before it did. */
export const changes: Reactor<ChangeFollowUp, 'changes'> = {
  name: 'changes',
  handles: ['ChangeApproved'] satisfies readonly LedgerEvent['type'][],
  keyOf: ({ stream }) => stream,
  on: (stored) => [makingOf({ ...changeDecider.codecs.decode(stored), ...envelopeOf(stored) })],
};

function envelopeOf({ id, stream, revision, at, meta }: Envelope): Envelope {
  return { id, stream, revision, at, meta };
}

/** The command that follows from an approval: the same for whoever took it as for the reactor, so that it is carried out once. */
export function makingOf({ data, meta, stream }: ChangeEvent & Envelope): ReactorCommand<ChangeFollowUp> {
  const { actor, session } = meta;
  const command = {
    type: 'MakeApprovedChange',
    changeId: data.changeId,
    actor,
    ...(session === undefined ? {} : { session }),
  } as const;
  return { stream, step: 'make', command };
}
