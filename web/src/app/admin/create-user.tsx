import { useNavigate } from 'react-router';
import { NewUserForm } from '../../features/people';
import { personAt } from '../paths';
import { useScreen } from '../shell';

/** `/auth/create-new-account/dashboard`. Leads to the new person's page. */
export default function CreateUser() {
  useScreen('New User Registration');
  const navigate = useNavigate();
  return <NewUserForm onDone={(userId) => void navigate(personAt(userId))} />;
}
