import { useParams } from 'react-router';
import { CaseFile } from '../../features/case-file';
import { useScreen } from '../shell';

/** `/auth/audit/case/:userId`. */
export default function Case() {
  useScreen('Case file');
  const { userId = '' } = useParams();
  return <CaseFile userId={userId} />;
}
