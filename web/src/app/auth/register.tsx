import { Link, useNavigate } from 'react-router';
import { RegisterForm } from '../../features/auth';
import { useTitle } from '../../lib';
import { paths } from '../paths';
import { AuthFrame } from './frame';

/** `/register`: a customer's account. */
export default function RegisterPage() {
  useTitle('Register');
  const navigate = useNavigate();
  return (
    <AuthFrame
      title="Register"
      foot={
        <>
          Already registered? <Link to={paths.login}>Login</Link>
        </>
      }
    >
      <RegisterForm onDone={() => void navigate(paths.login)} />
    </AuthFrame>
  );
}
