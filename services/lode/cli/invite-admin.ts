import { InviteAdmin, OPERATOR } from '#application';
import { duties, type Duty } from '#contracts';
import type { Call, Outcome } from './command.js';
import { withEngines } from './engines.js';
import { UsageError } from './parse.js';
import { saidPublicUrl } from '../settings.js';
import { withExclusiveEngines, requireLog } from './folder.js';

/** `lode invite-admin`. */
export async function runInviteAdmin(call: Call): Promise<Outcome> {
  const { settings, options } = call;
  const duty = dutyIn(options['duty']);
  await requireLog(settings);
  const { path, expiresAt, invitationId } = await withExclusiveEngines(call, (engines) =>
    withEngines(call, engines, ({ bus }) => bus.execute(new InviteAdmin({ actor: OPERATOR }, duty))),
  );
  const publicUrl = saidPublicUrl(settings);
  const how =
    publicUrl === undefined ? 'Start Lode and open its address with this path' : 'Start Lode and open';
  return {
    ok: true,
    facts: { path, expiresAt, invitationId, duty },
    lines: [
      `This makes one admin (${duty}), once, until ${expiresAt}. ${how}:`,
      `  ${publicUrl ?? ''}${path}`,
    ],
  };
}

function dutyIn(typed: string | boolean | undefined): Duty {
  if (typed === undefined) return 'owner';
  const duty = duties.find((one) => one === typed);
  if (duty === undefined)
    throw new UsageError(`--duty takes ${duties.join(', ')}, not ${JSON.stringify(typed)}.`);
  return duty;
}
