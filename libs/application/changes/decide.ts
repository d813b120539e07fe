import type { CommandContext } from '#commands';
import { changeActs, type ChangeDecision } from '#contracts';
import type { EventStore } from '#event-store';
import { isLodeError, LodeError, uuidV5 } from '#kernel';
import { changeStream, type Change, type ChangeCommand } from '#ledger';
import { contextFor, makingOf, type ChangeFollowUp } from '#reactors';
import type { Aggregates } from '../aggregates.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { sentBy, type Receipt } from '../command.js';
import { foresee, makeChange, type MakingParts } from './make.js';

/** The namespace of the ids of commands that keep what became of an approval. */
const CLOSING = '0d3f6f1a-8a53-5a0e-9a7b-2b1f4c6d8e90';

type Parts = MakingParts & {
  readonly aggregates: MakingParts['aggregates'] & Pick<Aggregates, 'changes'>;
  readonly eventStore: Pick<EventStore, 'readStream'>;
};

type Decided = Receipt & { readonly status: ChangeDecision['status'] };

/**
 * Approves a change that another admin asked for, and makes it. Refuses with `request_not_found`, `request_closed`, `own_request`,
 * `approval_expired`, `not_permitted`, and as what is changed does; then it waits on.
 */
export class ApproveChange extends sentBy('admin')<Decided> {
  constructor(
    override readonly context: CommandContext,
    readonly changeId: string,
  ) {
    super();
  }
}

export class ApproveChangeHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, changeId }: ApproveChange): Promise<Decided> {
    const { aggregates } = this.parts;
    const by = context.actor.id;
    const command = await commandOrRefusal(async () => {
      const { change, status, by: asker } = await waitingIn(aggregates, changeId);
      const deciders = await this.parts.admins.able(changeActs[change.part]);
      // What it can't become any more is told before anything is approved.
      if (status === 'Pending' && by !== asker && deciders.has(by)) await foresee(this.parts, change, by);
      return { type: 'ApproveChange', by, deciders } as const;
    });
    const done = await aggregates.changes.execute(changeStream(changeId), command, context);
    const [approval] = done.events;
    if (approval === undefined) return { ...done, status: 'approved' };
    const { command: follow, step } = makingOf(approval);
    const made = await makeApproved(this.parts, follow, contextFor('changes', approval, step));
    return { ...made, replayed: done.replayed };
  }
}

/** Turns a change down that waits, or takes it back. Refuses with `request_not_found`, `request_closed` and `not_permitted`. */
export class RejectChange extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly changeId: string,
  ) {
    super();
  }
}

export class RejectChangeHandler {
  constructor(private readonly parts: Pick<Parts, 'aggregates' | 'admins'>) {}

  async execute({ context, changeId }: RejectChange): Promise<Receipt> {
    const { admins, aggregates } = this.parts;
    const command = await commandOrRefusal(async () => {
      const { change } = await waitingIn(aggregates, changeId);
      const deciders = await admins.able(changeActs[change.part]);
      return { type: 'RejectChange', by: context.actor.id, deciders } as const;
    });
    return aggregates.changes.execute(changeStream(changeId), command, context);
  }
}

/** Makes what was approved by a program that ended before it did. May be repeated. */
export class MakeApprovedChange extends sentBy('system')<void> {
  constructor(
    override readonly context: CommandContext,
    readonly follow: ChangeFollowUp,
  ) {
    super();
  }
}

export class MakeApprovedChangeHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, follow }: MakeApprovedChange): Promise<void> {
    await makeApproved(this.parts, follow, context);
  }
}

async function waitingIn(aggregates: Pick<Aggregates, 'changes'>, changeId: string): Promise<Asked> {
  const { state } = await aggregates.changes.load(changeStream(changeId));
  if (state.kind === 'none') throw new LodeError('request_not_found', 'There is no such change.');
  return state;
}

type Asked = Extract<Change, { readonly kind: 'asked' }>;

/** Makes what was approved, in the name of whoever approved it and for the reason that it was asked for with. */
async function makeApproved(
  parts: Parts,
  { changeId, actor, session }: ChangeFollowUp,
  because: CommandContext,
): Promise<Decided> {
  const { aggregates, eventStore } = parts;
  const stream = changeStream(changeId);
  const { change, status } = await waitingIn(aggregates, changeId);
  const close = (command: ChangeCommand, name: string) =>
    aggregates.changes.execute(stream, command, {
      ...because,
      commandId: uuidV5(CLOSING, `${because.commandId}/${name}`),
    });
  if (status === 'refused')
    return { ...(await close({ type: 'RefuseChange', code: '' }, 'refused')), status };
  if (status === 'made') return { ...(await close({ type: 'CloseChange' }, 'made')), status: 'approved' };
  const [asked] = await eventStore.readStream(stream, { from: 0, limit: 1 });
  const reason = asked?.meta.reason;
  const context = {
    ...because,
    actor,
    ...(session === undefined ? {} : { session }),
    ...(reason === undefined ? {} : { reason }),
  };
  const made = await commandOrRefusal(() => makeChange(parts, change, context));
  // It may have been made by the same command of somebody else in the meantime.
  const done = isLodeError(made)
    ? await commandOrRefusal(() => makeChange(parts, change, context, made))
    : made;
  if (isLodeError(done)) {
    const refused = await close({ type: 'RefuseChange', code: done.code }, 'refused');
    return { ...refused, status: 'refused' };
  }
  // Else what changed nothing now would be decided anew whenever the approval is looked at again.
  return { ...(await close({ type: 'CloseChange' }, 'made')), status: 'approved' };
}
