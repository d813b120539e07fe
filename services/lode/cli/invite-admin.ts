import { InviteAdmin, OPERATOR } from '#application';
import type { Call, Outcome } from './command.js';
import { withEngines } from './engines.js';
import { saidPublicUrl } from '../settings.js';
import { withExclusiveEngines, requireLog } from './folder.js';

/** `lode invite-admin`. */
export async function runInviteAdmin(call: Call): Promise<Outcome> {
  const { settings } = call;
  await requireLog(settings);
  const { path, expiresAt, invitationId } = await withExclusiveEngines(call, (engines) =>
    withEngines(call, engines, ({ bus }) => bus.execute(new InviteAdmin({ actor: OPERATOR }))),
  );
  const publicUrl = saidPublicUrl(settings);
  const how =
    publicUrl === undefined ? 'Start Lode and open its address with this path' : 'Start Lode and open';
  return {
    ok: true,
    facts: { path, expiresAt, invitationId },
    lines: [`This makes one admin, once, until ${expiresAt}. ${how}:`, `  ${publicUrl ?? ''}${path}`],
  };
}
