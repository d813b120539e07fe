import type { Identity, Session } from '#identity';
import { LodeError } from '#kernel';

/** Whether somebody has to choose a password of their own before doing anything else. */
export type PasswordDuty = (session: Pick<Session, 'role' | 'userId'>) => boolean | Promise<boolean>;

/** A customer who has the password that an admin gave them. Admins are invited, and chose theirs. */
export function createPasswordDuty(
  credentials: Pick<Identity['credentials'], 'hasGivenPassword'>,
): PasswordDuty {
  return ({ role, userId }) => role === 'user' && credentials.hasGivenPassword(userId);
}

/** The refusal of whoever has to choose a password of their own first. */
export function passwordRequired(): LodeError {
  return new LodeError('password_change_required', 'Please choose your own password first.');
}
