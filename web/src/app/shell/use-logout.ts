import { useNavigate } from 'react-router';
import { useSignOutMutation, useUser } from '../../api';
import { paths } from '../paths';

/** Ends the session: an admin comes back to the sign-in page, a customer to the public one. */
export function useLogout(): () => void {
  const { role } = useUser();
  const [signOut] = useSignOutMutation();
  const navigate = useNavigate();
  return () => {
    void signOut().finally(() => {
      if (role === 'admin') void navigate(paths.login);
      else window.location.assign(paths.site);
    });
  };
}
