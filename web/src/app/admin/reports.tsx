import { DollarRateButton } from '../../features/dollar-rate';
import { ReportHistory } from '../../features/reports';
import { useScreen } from '../shell';

/** `/auth/account-support/dashboard` for an admin. */
export default function Reports() {
  useScreen('Report History');
  return <ReportHistory beside={<DollarRateButton />} />;
}
