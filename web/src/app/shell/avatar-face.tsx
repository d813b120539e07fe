import type { ReactNode } from 'react';
import type { AccountView } from '#contracts';
import { useFile, type SessionUser } from '../../api';

type Props = {
  readonly user: SessionUser;
  /** The profile image; without one the first letter of the first name stands for the person. */
  readonly image?: AccountView['image'];
};

/** What stands for a person in the top bar. */
export function AvatarFace({ user, image = null }: Props) {
  const letter = <span>{user.firstname.charAt(0).toUpperCase()}</span>;
  return image === null ? letter : <Picture fileId={image.fileId} meanwhile={letter} />;
}

function Picture({ fileId, meanwhile }: { readonly fileId: string; readonly meanwhile: ReactNode }) {
  const file = useFile(fileId);
  return file.phase === 'ready' ? <img src={file.url} alt="" /> : meanwhile;
}
