import { ApprovalList, ChangeList } from '../../features/approvals-desk';
import { useScreen } from '../shell';

/** `/auth/approvals/dashboard`. `?open=` names what is open, and `?person=` whose alone is listed; `?change=` is a change that is open. */
export default function Approvals() {
  useScreen('Approvals');
  return (
    <>
      <ChangeList />
      <ApprovalList />
    </>
  );
}
