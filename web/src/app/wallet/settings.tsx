import { useAccountQuery, useTransferPinQuery, useUser } from '../../api';
import { EmailAddress } from '../../features/email';
import { CloseAccount, DownloadData } from '../../features/own-data';
import { PinForm } from '../../features/security';
import {
  DisplayForm,
  ImageForm,
  PasswordForm,
  ProfileForm,
  SecurityHistory,
  Sessions,
  ThemeChoice,
} from '../../features/settings';
import { Passkeys, SecondFactor } from '../../features/second-factor';
import { VerifyEmail } from '../../features/verification';
import { AddressForm } from '../../features/withdrawal';
import { Part, Parts } from '../part';
import { loginAfterClosing } from '../paths';
import { useScreen } from '../shell';
import { Loading } from './loading';

/** `/auth/account-setting/dashboard` for a customer. */
export default function Settings() {
  useScreen('Account Settings');
  const { userId } = useUser();
  const account = useAccountQuery({ userId });
  const pin = useTransferPinQuery();
  if (account.data === undefined || pin.data === undefined)
    return <Loading of={account.data === undefined ? account : pin} />;
  return (
    <Parts>
      <VerifyEmail account={account.data} />
      <Part title="Profile" what="Who you are to the operator and to those you send to.">
        <ImageForm userId={userId} />
        <ProfileForm account={account.data} />
      </Part>
      <Part title="E-mail" what="You sign in by it, and are told by it what was done to your account.">
        <EmailAddress {...account.data} />
      </Part>
      <Part title="Sign-in" what="A change asks for the password you have.">
        <PasswordForm />
      </Part>
      <Part title="Second factor" what="A code beside the password, for whoever signs in as you.">
        <SecondFactor />
      </Part>
      <Part
        title="Passkeys"
        what="A second factor that your device keeps, and opens with your finger, your face or its pin."
      >
        <Passkeys />
      </Part>
      <Part title="Money out" what="Where withdrawals go, and what each transfer asks for.">
        <AddressForm {...account.data} />
        <PinForm state={pin.data.state} />
      </Part>
      <Part
        title="Devices"
        what="Everywhere you are signed in. A device signed out here loses access at once."
      >
        <Sessions />
      </Part>
      <Part
        title="Security history"
        what="Sign-ins, refusals and changes, with where they came from. What you don’t know was somebody else: change the password."
      >
        <SecurityHistory />
      </Part>
      <Part title="Display" what="How things look to you, on every device that you sign in on.">
        <ThemeChoice account={account.data} />
        <DisplayForm account={account.data} />
      </Part>
      <Part title="Your data" what="All that is kept about you, in one file for you and for programs.">
        <DownloadData />
      </Part>
      <Part title="Close account" what="For ever. If you want to keep your data, download it first.">
        <CloseAccount account={account.data} onClosed={() => window.location.assign(loginAfterClosing)} />
      </Part>
    </Parts>
  );
}
