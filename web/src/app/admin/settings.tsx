import { AdminAccess } from '../../features/admin-access';
import { DownloadData } from '../../features/own-data';
import { Passkeys, SecondFactor } from '../../features/second-factor';
import { Part, Parts } from '../part';
import { useScreen } from '../shell';

/** `/auth/account-setting/dashboard` for an admin. */
export default function AdminSettings() {
  useScreen('Settings');
  return (
    <Parts>
      <Part title="Your second factor" what="A code beside the password, for whoever signs in as you.">
        <SecondFactor />
      </Part>
      <Part
        title="Your passkeys"
        what="A second factor that your device keeps, and opens with your finger, your face or its pin."
      >
        <Passkeys />
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
