import type { SessionUser } from '../../api';

/** What stands for a person in the top bar. */
export function AvatarFace({ user }: { readonly user: SessionUser }) {
  return <span>{user.firstname.charAt(0).toUpperCase()}</span>;
}
