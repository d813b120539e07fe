import { StreamBrowser } from '../../features/audit';
import { useScreen } from '../shell';
import { ways } from './ways';

/** `/auth/audit/streams`. */
export default function Streams() {
  useScreen('Streams');
  return <StreamBrowser ways={ways} />;
}
