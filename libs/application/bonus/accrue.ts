import type { CommandContext, CommandTo } from '#commands';
import { hasCode, sha256, uuidV5, type Actor } from '#kernel';
import { accountStream, type AccountCommand } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy } from '../command.js';
import { withSettingsRevision, type RevisedSettings } from '../settings/in-force.js';
import { countAnswer, emptyTally, type Tally } from './tally.js';

/** The job's name: part of the ids of its commands, and so never renamed. */
export const BONUS_TICK = 'bonus-tick';

/** The namespace of the ids of runs. */
const RUNS = '0c1f3f4e-52c1-5d52-9a55-6c5f7b1f5d90';

const TICK: Actor = { id: BONUS_TICK, kind: 'system', role: 'system' };

/** The id of the run for a slot, an ISO instant: what all its events have in common. */
export function tickRunId(slot: string): string {
  return uuidV5(RUNS, slot);
}

/** What a run goes by. */
export type BonusSettings = Pick<RevisedSettings, 'bonusPolicy' | 'prices' | 'revision'>;

/** Accounts that may be due. Plain data, so that it can cross a thread. */
export type BonusBatch = {
  /** The id of the run: with the account's it gives the id of the account's own command. */
  readonly run: string;
  readonly settings: BonusSettings;
  readonly userIds: readonly string[];
};

/**
 * Asks accounts to accrue their bonus; each decides itself. Rejects with what an engine failed with, and before all else with
 * `unknown_outcome`.
 */
export class AccrueBonuses extends sentBy('system')<Tally> {
  override readonly context = { actor: TICK };

  constructor(readonly batch: BonusBatch) {
    super();
  }
}

export class AccrueBonusesHandler {
  constructor(private readonly accounts: Pick<Aggregates['accounts'], 'executeMany'>) {}

  async execute({ batch: { run, settings, userIds } }: AccrueBonuses): Promise<Tally> {
    const command = { type: 'AccrueBonus', policy: settings.bonusPolicy, prices: settings.prices } as const;
    const commands = userIds.map((userId): CommandTo<AccountCommand> => ({
      stream: accountStream(userId),
      command,
      context: withSettingsRevision(settings, contextOf(run, userId)),
    }));
    const tally = emptyTally();
    const answers = await this.accounts.executeMany(commands);
    const unknown = answers.find(
      (one) => one.status === 'rejected' && hasCode(one.reason, 'unknown_outcome'),
    );
    if (unknown?.status === 'rejected') throw unknown.reason;
    answers.forEach((answer, n) => countAnswer(tally, userIds[n] ?? '', answer));
    return tally;
  }
}

/** The context of the one command that a run sends to an account, however often the run is tried. */
function contextOf(run: string, userId: string): CommandContext {
  const commandId = uuidV5(run, userId);
  return {
    actor: TICK,
    commandId,
    requestHash: sha256(commandId),
    correlationId: run,
    causationId: run,
  };
}
