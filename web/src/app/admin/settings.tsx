import { useAccountQuery, useUser } from '../../api';
import { AdminAccess } from '../../features/admin-access';
import { EmailAddress } from '../../features/email';
import { DownloadData } from '../../features/own-data';
import { Passkeys, SecondFactor } from '../../features/second-factor';
import {
  DisplayForm,
  ImageForm,
  PasswordForm,
  ProfileForm,
  SecurityHistory,
  Sessions,
  ThemeChoice,
} from '../../features/settings';
import { Part, Parts } from '../part';
import { useScreen } from '../shell';
import { Loading } from '../wallet/loading';

/** `/auth/account-setting/dashboard` for an admin. */
export default function AdminSettings() {
  useScreen('Settings');
  const { userId } = useUser();
  const account = useAccountQuery({ userId });
  if (account.data === undefined) return <Loading of={account} />;
  return (
    <Parts>
      <Part title="Your profile" what="Who you are to other admins.">
        <ImageForm userId={userId} />
        <ProfileForm account={account.data} />
      </Part>
      <Part title="Your e-mail" what="You sign in by it, and are told by it what was done to your account.">
        <EmailAddress {...account.data} />
      </Part>
      <Part title="Your password" what="A change asks for the password you have.">
        <PasswordForm />
      </Part>
      <Part title="Your second factor" what="A code beside the password, for whoever signs in as you.">
        <SecondFactor />
      </Part>
      <Part
        title="Your passkeys"
        what="A second factor that your device keeps, and opens with your finger, your face or its pin."
      >
        <Passkeys />
      </Part>
      <Part
        title="Your devices"
        what="Everywhere you are signed in. A device signed out here loses access at once."
      >
        <Sessions />
      </Part>
      <Part
        title="Your security history"
        what="Sign-ins, refusals and changes, with where they came from. What you don’t know was somebody else: change the password."
      >
        <SecurityHistory />
      </Part>
      <Part title="Display" what="How things look to you, on every device that you sign in on.">
        <ThemeChoice account={account.data} />
        <DisplayForm account={account.data} />
      </Part>
      <Part title="Second factor for admins" what="What every admin of this platform needs.">
        <AdminAccess />
      </Part>
      <Part title="Your data" what="All that is kept about you, in one file for you and for programs.">
        <DownloadData />
      </Part>
    </Parts>
  );
}
