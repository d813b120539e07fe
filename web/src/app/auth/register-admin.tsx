import { Link, useNavigate, useSearchParams } from 'react-router';
import { RegisterForm } from '../../features/auth';
import { useTitle } from '../../lib';
import { paths } from '../paths';
import { AuthFrame } from './frame';

/** `/auth/register`: an admin's account, by invitation. */
export default function RegisterAdminPage() {
  useTitle('Register an admin');
  const navigate = useNavigate();
  const invitation = useSearchParams()[0].get('invitation') ?? '';
  return (
    <AuthFrame title="Register an admin" foot={<Link to={paths.login}>Login</Link>}>
      {invitation === '' ? (
        <p className="soft">
          An admin’s account needs an invitation. Open the link that an admin or the operator sent you; it
          works once.
        </p>
      ) : (
        <RegisterForm invitation={invitation} onDone={() => void navigate(paths.login)} />
      )}
    </AuthFrame>
  );
}
