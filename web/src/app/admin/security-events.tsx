import { SecurityEvents } from '../../features/audit';
import { useScreen } from '../shell';
import { ways } from './ways';

/** `/auth/audit/security`. */
export default function Security() {
  useScreen('Security events');
  return <SecurityEvents ways={ways} />;
}
