import { systemClock } from '#kernel';
import { inviteFirstAdmin, issueInvitation } from '../../api/index.js';
import type { Call, Outcome } from './command.js';
import { withEngines } from './engines.js';
import { alone, existing } from './folder.js';

const OPERATOR = { kind: 'operator', id: 'operator', role: 'system' } as const;

/** `lode invite-admin`. */
export async function carryInviteAdmin(call: Call): Promise<Outcome> {
  const { settings } = call;
  const places = existing(settings.dataFolder);
  const { path, expiresAt, invitationId } = await alone(call, () =>
    withEngines(places, async ({ identity, ledger }) => {
      const parts = { identity, ledger, clock: systemClock };
      return (await identity.credentials.hasAdmin())
        ? issueInvitation(parts, OPERATOR)
        : inviteFirstAdmin(parts);
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
