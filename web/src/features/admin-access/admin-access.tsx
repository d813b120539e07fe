import type { SyntheticEvent } from 'react';
import type { SettingsView } from '#contracts';
import {
  detailOf,
  refusalOf,
  useSecondFactorQuery,
  useSetAdminAccessMutation,
  useSettingsQuery,
} from '../../api';
import { useKey } from '../../lib';
import { ForDuty } from '../duty';
import { Form, FormActs, LoadFailed, notifyError, notifySuccess, Skeleton, When } from '../../ui';

/** Says whether admins need a second factor, and changes it for an admin who has one. */
export function AdminAccess() {
  const settings = useSettingsQuery();
  const factor = useSecondFactorQuery();
  const { data } = settings;
  if (data === undefined || factor.data === undefined) {
    const { error, refetch } = data === undefined ? settings : factor;
    return error === undefined ? (
      <Skeleton width="24ch" />
    ) : (
      <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
    );
  }
  return (
    <ForDuty act="set the platform">
      <Switch settings={data} hasFactor={factor.data.isOn} />
    </ForDuty>
  );
}

type Props = { readonly settings: SettingsView; readonly hasFactor: boolean };

function Switch({ settings, hasFactor }: Props) {
  const [set, { isLoading }] = useSetAdminAccessMutation();
  const key = useKey();
  const { needsSecondFactor: isOn } = settings.adminAccess;
  const last = settings.lastChanges['admin-access'];
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const body = { needsSecondFactor: !isOn };
    const { data, error } = await set({ ...body, idempotencyKey: key.of(body) });
    if (error === undefined) {
      key.done();
      notifySuccess(data.message);
      return;
    }
    const refusal = refusalOf(error, { failed: 'Something went wrong.' });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  const isKept = !isOn && !hasFactor;
  return (
    <Form label="Second factor for admins" onSubmit={submit}>
      <p className="soft">
        {isOn
          ? 'On. An admin who has no second factor can do nothing but set one up.'
          : 'Off. Each admin chooses. Once it is on, an admin who has no second factor can do nothing but set one up, from that moment.'}
      </p>
      {last !== null && (
        <p className="soft">
          Last changed by {last.by}, <When iso={last.at} />.
        </p>
      )}
      <FormActs submit={isOn ? 'Switch off' : 'Switch on'} busy={isLoading} disabled={isKept} quiet>
        {isKept ? 'Set up your own second factor first: this would keep you out, too.' : undefined}
      </FormActs>
    </Form>
  );
}
