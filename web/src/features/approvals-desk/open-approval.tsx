import type { WaitingApproval } from '#contracts';
import { later } from '../../ui';
import { NamedRequest } from '../desk';
import { decisionKind } from './words';

const AdjustmentDialog = later(() => import('./adjustment-dialog'));

type Props = {
  readonly waiting: WaitingApproval;
  /** It waits no more: somebody decided it meanwhile, or it ran out. */
  readonly isGone: boolean;
  readonly onClose: () => void;
};

/** The dialog in which what waits for other admins is decided. */
export function OpenApproval({ waiting, isGone, onClose }: Props) {
  const { id, kind, userId } = waiting;
  if (kind === 'adjustment') return <AdjustmentDialog waiting={waiting} isGone={isGone} onClose={onClose} />;
  return <NamedRequest kind={decisionKind(kind)} of={{ userId, requestId: id }} onClose={onClose} />;
}
