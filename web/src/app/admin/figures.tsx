import { FiguresPage } from '../../features/figures';
import { useScreen } from '../shell';

/** `/auth/figures/dashboard`. */
export default function Figures() {
  useScreen('Figures');
  return <FiguresPage />;
}
