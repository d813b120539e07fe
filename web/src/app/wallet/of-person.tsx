import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useUser } from '../../api';
import { Forbidden } from '../forbidden';
import { useScreen } from '../shell';

function Titled({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useScreen(title);
  return children;
}

type Props = {
  readonly title: string;
  /** What the screen shows of a person. */
  readonly children: (userId: string) => ReactNode;
};

/** A screen about the person whom the address names, or else about whoever is signed in. */
export function OfPerson({ title, children }: Props) {
  const user = useUser();
  const { userId = user.userId } = useParams();
  // The server refuses it as well; asking would only show its refusal later.
  if (user.role !== 'admin' && userId !== user.userId) return <Forbidden />;
  return <Titled title={title}>{children(userId)}</Titled>;
}
