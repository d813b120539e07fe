import { mayDo, type AdminAct, type Duty } from '#contracts';
import type { Identity, Session } from '#identity';
import { LodeError } from '#kernel';
import type { AdminRights } from './rights.js';

/** How old the proof may be that an admin gave of who they are, where one is needed, in milliseconds. */
export const STEP_UP_MS = 5 * 60_000;

/** What is asked of an admin before anything of theirs is done. */
export type AdminGate = {
  /** Refuses with `duty_missing` an admin whose duty is another one. */
  readonly requireDuty: (session: Pick<Session, 'userId'>, act: AdminAct) => void;
  /**
   * Refuses with `step_up_required` an admin who has not proved within the last five minutes who they are: by signing in, or
   * again in the session that asks.
   */
  readonly requireFreshProof: (session: Session) => Promise<void>;
  /** Whether somebody is or was an admin, by the end of the log. */
  readonly isAdmin: (userId: string) => Promise<boolean>;
  /** What an admin is there for. */
  readonly dutyOf: (userId: string) => Duty;
};

/** The gate: it goes by what is in memory, and asks the store where only another program may know better. */
export function createAdminGate(
  sessions: Pick<Identity['sessions'], 'isProved'>,
  { dutyOf, standingOf }: Pick<AdminRights, 'dutyOf' | 'standingOf'>,
): AdminGate {
  return {
    requireDuty: ({ userId }, act) => {
      if (!mayDo(dutyOf(userId), act))
        throw new LodeError('duty_missing', 'This is not among the duties of your account.');
    },
    requireFreshProof: async (session) => {
      if (await sessions.isProved(session, STEP_UP_MS)) return;
      throw new LodeError('step_up_required', 'Please prove again that it is you.');
    },
    isAdmin: async (userId) => (await standingOf(userId)) !== undefined,
    dutyOf,
  };
}
