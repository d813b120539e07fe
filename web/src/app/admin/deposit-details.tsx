import { DepositDetailsForm } from '../../features/deposit-details';
import { SettingHistory } from '../../features/setting';
import { Part, Parts } from '../part';
import { useScreen } from '../shell';

/** `/auth/deposit-details/dashboard`. */
export default function DepositDetails() {
  useScreen('Deposit Details');
  return (
    <Parts>
      <Part
        title="Contact and deposit addresses"
        what="Where the platform is reached, and where customers are told to pay. A field that is emptied is removed."
      >
        <DepositDetailsForm />
      </Part>
      <Part title="History" what="Who changed which detail when, from what to what, and why.">
        <SettingHistory part="deposit-details" />
      </Part>
    </Parts>
  );
}
