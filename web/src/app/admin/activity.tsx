import { Activity } from '../../features/audit';
import { useScreen } from '../shell';
import { ways } from './ways';

/** `/auth/audit/activity`. */
export default function ActivityScreen() {
  useScreen('Activity');
  return <Activity ways={ways} />;
}
