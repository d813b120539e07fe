import { ProjectionsPage } from '../../features/operations';
import { streamAt } from '../paths';
import { useScreen } from '../shell';

/** `/auth/system/projections`. */
export default function Projections() {
  useScreen('Projections');
  return <ProjectionsPage streamOf={streamAt} />;
}
