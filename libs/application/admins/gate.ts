import { mayDo, type AdminAct, type Duty } from '#contracts';
import type { Identity, Session } from '#identity';
import { LodeError } from '#kernel';
import type { AdminRights } from './rights.js';
import { noLongerValid } from './sessions.js';

/** How old the proof may be that an admin gave of who they are, where one is needed, in milliseconds. */
export const STEP_UP_MS = 5 * 60_000;

/** What is asked of an admin before anything of theirs is done. */
export type AdminGate = {
  /**
   * Has an admin's duty be as of the end of the log for what is asked next, whichever program gave it. Refuses with
   * `token_invalid` whoever may act no longer, and with what the log fails with.
   */
  readonly requireLatest: (session: Pick<Session, 'userId'>) => Promise<void>;
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
  { latest, mayAct, dutyOf, standingOf }: Pick<AdminRights, 'latest' | 'mayAct' | 'dutyOf' | 'standingOf'>,
): AdminGate {
  return {
    requireLatest: async ({ userId }) => {
      await latest();
      if (!(await mayAct(userId))) throw noLongerValid();
    },
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
