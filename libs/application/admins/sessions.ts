import type { Identity, Session } from '#identity';
import { LodeError } from '#kernel';
import type { AdminRights } from './rights.js';

type Sessions = Pick<Identity['sessions'], 'authenticate' | 'isAlive'>;

/**
 * Sessions of which those of admins count only while their owner may act as one: from the moment that the log says
 * otherwise, whether or not they were ended yet.
 */
export function sessionsInForce(sessions: Sessions, { mayAct }: Pick<AdminRights, 'mayAct'>): Sessions {
  const mayStay = ({ role, userId }: Session) => role !== 'admin' || mayAct(userId);

  function admitted(session: Session): Session | Promise<Session> {
    const may = mayStay(session);
    return may === true ? session : Promise.resolve(may).then((still) => orRefused(session, still));
  }

  return {
    authenticate: (token, how) => {
      const session = sessions.authenticate(token, how);
      return session instanceof Promise ? session.then(admitted) : admitted(session);
    },
    isAlive: (session) => {
      const alive = sessions.isAlive(session);
      if (alive === true) return mayStay(session);
      return alive === false ? false : alive.then((still) => still && mayStay(session));
    },
  };
}

function orRefused(session: Session, may: boolean): Session {
  if (!may) throw noLongerValid();
  return session;
}

/** The refusal of a session whose owner may act no longer. */
export function noLongerValid(): LodeError {
  return new LodeError('token_invalid', 'This session is not valid. Please sign in again.');
}
