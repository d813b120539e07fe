import { InviteAdmin, OPERATOR } from '#application';
import { LodeError } from '#kernel';
import type { Call, Outcome } from './command.js';
import { withEngines } from './engines.js';
import { alone, requireLog } from './folder.js';

/** `lode invite-admin`. */
export async function carryInviteAdmin(call: Call): Promise<Outcome> {
  const { settings } = call;
  await requireLog(settings);
  const { path, expiresAt, invitationId } = await alone(call, (engines) =>
    withEngines(engines, async ({ identity, bus }) => {
      // Every start then prints a link of its own, which makes those before it void.
      if (!(await identity.credentials.hasAdmin())) {
        throw new LodeError(
          'conflict',
          'There is no admin yet: start Lode, which prints the link that makes the first one.',
        );
      }
      return bus.execute(new InviteAdmin({ actor: OPERATOR }));
    }),
  );
  return {
    ok: true,
    facts: { path, expiresAt, invitationId },
    lines: [
      `This makes one admin, once, until ${expiresAt}. Start Lode and open its address with this path:`,
      `  ${path}`,
    ],
  };
}
