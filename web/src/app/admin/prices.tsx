import { PricesForm } from '../../features/prices';
import { SettingHistory } from '../../features/setting';
import { Part, Parts } from '../part';
import { useScreen } from '../shell';

/** `/auth/prices/dashboard`. */
export default function Prices() {
  useScreen('Prices');
  return (
    <Parts>
      <Part
        title="Prices in force"
        what="What one unit of each currency costs in US dollars. Balances are converted by it."
      >
        <PricesForm />
      </Part>
      <Part title="History" what="Who changed which price when, and why.">
        <SettingHistory part="prices" />
      </Part>
    </Parts>
  );
}
