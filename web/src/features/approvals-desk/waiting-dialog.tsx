import type { ReactNode } from 'react';
import { Dialog, Status, When } from '../../ui';
import { Closed } from '../decision';
import styles from './approvals-desk.module.css';

/** In pixels. */
const WIDTH = 560;

type Props = {
  readonly title: string;
  /** What the button that leaves it calls it, once it waits no more. */
  readonly name: string;
  /** What is known of it, before its status. */
  readonly facts: ReactNode;
  /** What stands beside its status, while it waits. */
  readonly beside?: ReactNode;
  readonly until: string;
  /** What is known of it whether or not it still waits. */
  readonly known?: ReactNode;
  /** It waits no more: somebody decided it meanwhile, or it ran out. */
  readonly isGone: boolean;
  readonly onClose: () => void;
  /** What it would do, and the decision: only while it waits. */
  readonly children: ReactNode;
};

/** What waits for another admin, from what is known of it to the decision. */
export function WaitingDialog({
  title,
  name,
  facts,
  beside,
  until,
  known,
  isGone,
  onClose,
  children,
}: Props) {
  return (
    <Dialog title={title} width={WIDTH} onClose={onClose}>
      <div className={styles.waiting}>
        <dl className={styles.facts}>
          {facts}
          <dt>Status</dt>
          <dd>
            <Status status={isGone ? 'decided' : 'Pending'} /> {!isGone && beside}
          </dd>
          <dt>Runs out</dt>
          <dd>
            <When iso={until} />
          </dd>
        </dl>
        {known}
        {isGone ? (
          <Closed leave={`Close ${name}`} onClose={onClose}>
            It was decided or ran out while it was open here.
          </Closed>
        ) : (
          children
        )}
      </div>
    </Dialog>
  );
}
