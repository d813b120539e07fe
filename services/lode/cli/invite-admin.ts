import { LodeError, systemClock } from '#kernel';
import { issueInvitation } from '../../api/index.js';
import type { Call, Outcome } from './command.js';
import { withEngines } from './engines.js';
import { alone, requireLog } from './folder.js';

const OPERATOR = { kind: 'operator', id: 'operator', role: 'system' } as const;

/** `lode invite-admin`. */
export async function carryInviteAdmin(call: Call): Promise<Outcome> {
  const { settings } = call;
  await requireLog(settings);
  const { path, expiresAt, invitationId } = await alone(call, (engines) =>
    withEngines(engines, async ({ identity, ledger }) => {
      // Every start then prints a link of its own, which makes those before it void.
      if (!(await identity.credentials.hasAdmin())) {
        throw new LodeError(
          'conflict',
          'There is no admin yet: start Lode, which prints the link that makes the first one.',
        );
      }
      return issueInvitation({ identity, ledger, clock: systemClock }, OPERATOR);
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
