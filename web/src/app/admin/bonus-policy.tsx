import { BonusPolicyForm } from '../../features/bonus-policy';
import { SettingHistory } from '../../features/setting';
import { Part, Parts } from '../part';
import { useScreen } from '../shell';

/** `/auth/bonus-policy/dashboard`. The list of the preview and the history each have their place in the address. */
export default function BonusPolicy() {
  useScreen('Bonus Policy');
  return (
    <Parts>
      <Part
        title="Policy in force"
        what="A promotion that the operator pays. What is typed is worked out at once, before it counts."
      >
        <BonusPolicyForm />
      </Part>
      <Part title="History" what="Who changed the policy when, from what to what, and why.">
        <SettingHistory part="bonus-policy" />
      </Part>
    </Parts>
  );
}
