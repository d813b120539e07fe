import type { CommandContext } from '#commands';
import { sha256, uuidV5, type Clock } from '#kernel';
import {
  accountDecider,
  accountStream,
  allowanceStream,
  hasTiers,
  sizeOf,
  type AccountCommand,
  type AccountEvent,
  type AdjustmentEntry,
  type Approval,
  type ApprovalRule,
  type Settings,
  type Use,
} from '#ledger';
import type { AdminRights } from '../admins/rights.js';
import type { Aggregates } from '../aggregates.js';
import type { Receipt } from '../command.js';

/** The namespace of the ids of commands that count what an admin moves. */
const ALLOWANCES = '2c1b7d1e-64f0-5a5c-8f43-3f0d5f1c9a77';
const HOUR_MS = 60 * 60 * 1_000;
const REQUEST_ID_LENGTH = 34;

/** How many of how many approvals something has that waits for more. */
export type Approvals = { readonly given: number; readonly needed: number };

/** The answer to what may take several admins: null when it is done. */
export type Decided = Receipt & { readonly approvals: Approvals | null };

export type ApprovalParts = {
  readonly aggregates: Pick<Aggregates, 'accounts' | 'allowances'>;
  readonly admins: Pick<AdminRights, 'deciders'>;
  readonly clock: Clock;
};

type Limits = Settings['approvalLimits'];

/** What may take several admins. */
type Asked = {
  readonly userId: string;
  readonly uses: readonly Use[];
  readonly limits: Limits;
  /** The approvals that there are. */
  readonly approvals: readonly Approval[];
  readonly commandBy: (rule: ApprovalRule) => AccountCommand;
};

/** What of an adjustment there are limits for. */
export function usesOf(entries: readonly AdjustmentEntry[], limits: Limits): readonly Use[] {
  return entries
    .filter(({ amount, currency }) => amount !== 0n && hasTiers(limits, [currency]))
    .map(({ amount, currency }) => ({ amount: sizeOf(amount), currency }));
}

/** The id of the adjustment that a command asks for, should it have to wait: always the same of the same command. */
export function proposalId({ commandId }: Pick<CommandContext, 'commandId'>): string {
  return sha256(`adjustment ${commandId}`).slice(0, REQUEST_ID_LENGTH);
}

/** Who approves, among whom, and for how long it counts; how many it takes is not known yet. */
export async function approver(
  { admins }: Pick<ApprovalParts, 'admins'>,
  { expireHours }: Limits,
  { actor }: CommandContext,
): Promise<Omit<ApprovalRule, 'needed'>> {
  return { by: actor.id, deciders: await admins.deciders(), expireMs: expireHours * HOUR_MS };
}

/** The command to an admin's allowance that goes before what is moved, so that it counts before it moves. */
export function allowanceFor(uses: readonly Use[], { tiers }: Limits, context: CommandContext, atLeast = 1) {
  const commandId = uuidV5(ALLOWANCES, context.commandId);
  return {
    stream: allowanceStream(context.actor.id),
    command: { type: 'UseAllowance', uses, tiers, atLeast },
    context: { ...context, commandId, causationId: commandId },
  } as const;
}

/**
 * A command with the rule that it goes by. What the account would refuse anyhow is refused here, and counts for nothing;
 * all else counts for the admin from now on, whatever becomes of it.
 */
export async function ruled(
  parts: ApprovalParts,
  { userId, uses, limits, approvals, commandBy }: Asked,
  context: CommandContext,
): Promise<AccountCommand> {
  const { aggregates, clock } = parts;
  const rule = await approver(parts, limits, context);
  const now = new Date(clock()).toISOString();
  const { state } = await aggregates.accounts.load(accountStream(userId));
  accountDecider.decide(commandBy({ ...rule, needed: 1 }), state, now);
  const counting = approvals.filter(({ by, until }) => until > now && rule.deciders.has(by));
  const atLeast = Math.max(1, ...counting.map(({ needed }) => needed));
  if (uses.length === 0) return commandBy({ ...rule, needed: atLeast });
  const asked = allowanceFor(uses, limits, context, atLeast);
  const { events } = await aggregates.allowances.execute(asked.stream, asked.command, asked.context);
  return commandBy({ ...rule, needed: events[0]?.data.approvals ?? atLeast });
}

/** How many approvals what the events are about has by now; null when it does not wait. */
export function approvalsIn(events: readonly AccountEvent[]): Approvals | null {
  for (const event of events) {
    if (event.type === 'AdjustmentProposed') return { given: 1, needed: event.data.needed };
    if (event.type !== 'RequestApproved' && event.type !== 'AdjustmentApproved') continue;
    const { given, needed } = event.data;
    return given < needed ? { given, needed } : null;
  }
  return null;
}
