import { JobsPage } from '../../features/operations';
import { useScreen } from '../shell';

/** `/auth/system/jobs`. */
export default function Jobs() {
  useScreen('Jobs');
  return <JobsPage />;
}
