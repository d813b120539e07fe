import { useEffect } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useAppSelector } from '../../api';
import { SignInForm } from '../../features/auth';
import { useTitle } from '../../lib';
import { notifySuccess } from '../../ui';
import { afterLogin, paths } from '../paths';
import { AuthFrame } from './frame';

/** `/login` */
export default function LoginPage() {
  useTitle('Login');
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const signedIn = useAppSelector((state) => state.session.phase === 'signed-in');
  const next = afterLogin(search);
  useEffect(() => {
    if (signedIn) void navigate(next, { replace: true });
  }, [signedIn, navigate, next]);
  return (
    <AuthFrame
      title="Login"
      foot={
        <>
          No account yet? <Link to={paths.register}>Register</Link>
        </>
      }
    >
      <SignInForm onSignedIn={() => notifySuccess('Login successful')} />
    </AuthFrame>
  );
}
