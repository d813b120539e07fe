import { EventExplorer } from '../../features/audit';
import { useScreen } from '../shell';
import { ways } from './ways';

/** `/auth/audit/events`. */
export default function Events() {
  useScreen('Events');
  return <EventExplorer ways={ways} />;
}
