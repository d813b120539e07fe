import { useSessionClient } from '../api';
import { PasswordForm } from '../features/settings';
import { OnlyThis } from './only-this';

const WHY =
  'The password you were given is for the first sign-in, and somebody else knows it. As soon as you have your own, you have everything else.';

/** The one thing that somebody can do who signed in with a password that an admin chose. */
export default function OwnPassword() {
  const { passwordChosen } = useSessionClient();
  return (
    <OnlyThis title="Choose your own password" why={WHY}>
      <PasswordForm isGiven onDone={passwordChosen} />
    </OnlyThis>
  );
}
