import { ApprovalLimitsForm } from '../../features/approval-limits';
import { SettingHistory } from '../../features/setting';
import { Part, Parts } from '../part';
import { useScreen } from '../shell';

/** `/auth/approval-limits/dashboard`. */
export default function ApprovalLimits() {
  useScreen('Approval Limits');
  return (
    <Parts>
      <Part
        title="Limits in force"
        what="Above which US dollars more than one admin has to approve. Each amount counts, and so does what one admin moved within 24 hours."
      >
        <ApprovalLimitsForm />
      </Part>
      <Part title="History" what="Who changed which limit when, from what to what, and why.">
        <SettingHistory part="approval-limits" />
      </Part>
    </Parts>
  );
}
