import type { Identity, Session } from '#identity';
import type { RevisedSettings, SettingsInForce } from '../settings/in-force.js';

/** Whether somebody has to set up a second factor before doing anything else. */
export type SecondFactorDuty = (session: Pick<Session, 'role' | 'userId'>) => boolean | Promise<boolean>;

/**
 * An admin who has no second factor, while admins need one: at once when they need none. Goes by the settings as they were
 * last read, so that admins can look after a platform whose log is away; rejects where they could never be read.
 */
export function createSecondFactorDuty(
  secondFactors: Pick<Identity['secondFactors'], 'isOn'>,
  settings: Pick<SettingsInForce, 'lastKnown'>,
): SecondFactorDuty {
  const lacks = async (userId: string) => !(await secondFactors.isOn(userId));
  const isDue = ({ adminAccess }: RevisedSettings, userId: string) =>
    adminAccess.needsSecondFactor && lacks(userId);

  return ({ role, userId }) => {
    if (role !== 'admin') return false;
    const known = settings.lastKnown();
    return known instanceof Promise ? known.then((read) => isDue(read, userId)) : isDue(known, userId);
  };
}

/** Whether a session lives, and its owner need not set up a second factor first. */
export function whileNotDue(
  isAlive: Identity['sessions']['isAlive'],
  mustSetUp: SecondFactorDuty,
): Identity['sessions']['isAlive'] {
  const isFree = (session: Session) => {
    const due = mustSetUp(session);
    return due instanceof Promise ? due.then((isDue) => !isDue) : !due;
  };
  return (session) => {
    const alive = isAlive(session);
    if (alive === true) return isFree(session);
    return alive === false ? false : alive.then((still) => still && isFree(session));
  };
}
