import { AdminSessions } from '../../features/admins';
import { EnginesPage } from '../../features/operations';
import { useScreen } from '../shell';

/** `/auth/system/engines`. */
export default function Engines() {
  useScreen('Engines');
  return (
    <EnginesPage>
      <AdminSessions />
    </EnginesPage>
  );
}
