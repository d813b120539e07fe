import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useUser } from '../../api';
import { useScreen } from '../shell';

type Props = {
  readonly title: string;
  /** What the screen shows of one customer, or of all of them. */
  readonly children: (userId: string | undefined) => ReactNode;
};

/** An admin's screen about the customer whom the address names; with the admin's own id it is about all of them. */
export function OfAnyone({ title, children }: Props) {
  useScreen(title);
  const user = useUser();
  const { userId } = useParams();
  return children(userId === user.userId ? undefined : userId);
}
