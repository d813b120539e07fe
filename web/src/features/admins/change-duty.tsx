import { useState } from 'react';
import type { AdminList } from '#contracts';
import { ActDialog, Effect } from '../acts';
import { TakesSecond, WaitingChange } from '../approvals';
import { DutyChoice, dutyNames } from '../duty';
import { useChangeDutyMutation } from './api';

type Props = { readonly admin: AdminList['admins'][number]; readonly onClose: () => void };

/** Makes something else of an admin, and says again of whom. */
export function ChangeDuty({ admin: { userId, name, email, duty: before }, onClose }: Props) {
  const [change] = useChangeDutyMutation();
  const [duty, setDuty] = useState(before);
  return (
    <ActDialog
      title={`Change the duty of ${name}`}
      act="Change duty"
      reason="needed"
      ready={duty !== before}
      about={[userId, duty]}
      send={({ reason = '', ...input }) => change({ userId, duty, reason, ...input })}
      failed="The duty could not be changed."
      onClose={onClose}
    >
      <p>
        {name}, {email}. Once it is changed, it counts from the next thing that {name} asks for. What was done
        before stays, but approvals of open requests by somebody who may not decide on money any more don’t
        count.
      </p>
      <TakesSecond part="duty" />
      <WaitingChange part="duty" userId={userId} />
      <DutyChoice value={duty} onChange={setDuty} />
      <Effect
        caption="What changes"
        rows={[{ name: 'Duty', before: dutyNames[before], after: dutyNames[duty] }]}
      />
    </ActDialog>
  );
}
