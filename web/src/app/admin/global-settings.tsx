import { DepositDetailsForm } from '../../features/deposit-details';

/** The form of the dashboard. */
export default function GlobalSettings() {
  return <DepositDetailsForm quiet />;
}
