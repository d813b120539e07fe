import { useMay } from '../../features/duty';
import { Invitations, InviteAdmin } from '../../features/invitations';
import { useScreen } from '../shell';

/** `/auth/invitations/dashboard` */
export default function InvitationsScreen() {
  useScreen('Invitations');
  const mayInvite = useMay('invite admins');
  return (
    <>
      {mayInvite && <InviteAdmin />}
      <Invitations />
    </>
  );
}
