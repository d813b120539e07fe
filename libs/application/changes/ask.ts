import type { CommandContext } from '#commands';
import { changeActs } from '#contracts';
import { isLodeError, LodeError, sha256 } from '#kernel';
import { changeStream, depositAddressFields, type PlatformChange } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { sentBy, type Receipt } from '../command.js';
import { foresee, makeChange, type MakingParts } from './make.js';

const CHANGE_ID_LENGTH = 34;
const HOUR_MS = 60 * 60 * 1_000;

/** The answer to what may take a second admin: by which id it waits for one; null when it is done. */
type Asked = Receipt & { readonly changeId: string | null };

/**
 * Changes what holds for all, a duty or a bonus cycle: at once where whoever asks is the only admin who may, and else as soon
 * as another one of them approves it. Refuses as what is changed does.
 */
export class AskForChange extends sentBy('admin')<Asked> {
  constructor(
    override readonly context: CommandContext,
    readonly change: PlatformChange,
  ) {
    super();
  }
}

type Parts = MakingParts & {
  readonly aggregates: MakingParts['aggregates'] & Pick<Aggregates, 'changes'>;
};

export class AskForChangeHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, change }: AskForChange): Promise<Asked> {
    const { aggregates } = this.parts;
    // Always the same of the same command: one that is sent again finds what it asked for.
    const changeId = sha256(`change ${context.commandId}`).slice(0, CHANGE_ID_LENGTH);
    const { state } = await aggregates.changes.load(changeStream(changeId));
    if (state.kind === 'none') {
      if (!(await this.takesAnother(change, context)))
        return { ...(await makeChange(this.parts, change, context)), changeId: null };
      const done = await this.doneWithoutAnother(change, context);
      if (done !== undefined) return { ...done, changeId: null };
    }
    return this.ask(changeId, change, context);
  }

  private async ask(changeId: string, change: PlatformChange, context: CommandContext): Promise<Asked> {
    const { aggregates, clock, settings } = this.parts;
    const { expireHours } = (await settings.current()).approvalLimits;
    const until = new Date(clock() + expireHours * HOUR_MS).toISOString();
    const command = { type: 'AskForChange', changeId, change, by: context.actor.id, until } as const;
    const { position, replayed } = await aggregates.changes.execute(changeStream(changeId), command, context);
    return { position, replayed, changeId };
  }

  /** Whether another admin may make such a change. */
  private async takesAnother(change: PlatformChange, { actor }: CommandContext): Promise<boolean> {
    if (!takesSecond(change)) return false;
    const able = await this.parts.admins.able(changeActs[change.part]);
    return [...able].some((userId) => userId !== actor.id);
  }

  /**
   * The answer of a command that its admin was alone with when it was first sent, or that would change nothing; undefined of one
   * that another admin has to approve. Nothing is changed here: what is so already may be something else a moment later.
   */
  private async doneWithoutAnother(
    change: PlatformChange,
    context: CommandContext,
  ): Promise<Receipt | undefined> {
    const foreseen = await commandOrRefusal(() => foresee(this.parts, change, context.actor.id));
    const refusal = isLodeError(foreseen)
      ? foreseen
      : new LodeError('not_permitted', 'It takes another admin.');
    const first = await commandOrRefusal(() => makeChange(this.parts, change, context, refusal));
    if (!isLodeError(first)) return first;
    if (first !== refusal || isLodeError(foreseen)) throw first;
    return foreseen.changes ? undefined : { position: foreseen.position, replayed: false };
  }
}

/** How the platform is reached is for one admin to say; where customers pay to is not. */
function takesSecond({ part, values }: PlatformChange): boolean {
  return part !== 'deposit-details' || depositAddressFields.some((field) => isGiven(values[field]));
}

function isGiven(address: string | null | undefined): boolean {
  return address === null || (address?.trim() ?? '') !== '';
}
