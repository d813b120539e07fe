import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { paymentChoices, type PaymentCurrency, type SettingsView } from '#contracts';
import { Form, FormActs, notifyInfo } from '../../ui';
import { ActDialog, Effect } from '../acts';
import { decidersIn, TakesSecond, useAdminsQuery, WaitingChange } from '../approvals';
import { ForDuty } from '../duty';
import { LastChange, settingName, tierWords, WithSettings } from '../setting';
import { useSetApprovalLimitsMutation } from './api';
import { changesOf, limitsOf, typedOf, wholeProblem, type Limits, type Typed } from './limits';
import { TierFields } from './tier-fields';

/** Above which amounts more than one admin has to approve, and a change of that with a reason. */
export function ApprovalLimitsForm() {
  return <WithSettings>{(settings) => <Fields settings={settings} />}</WithSettings>;
}

function Fields({ settings }: { readonly settings: SettingsView }) {
  const inForce = settings.approvalLimits;
  const [typed, setTyped] = useState(() => typedOf(inForce));
  const [isTold, setTold] = useState(false);
  const [asked, setAsked] = useState<Partial<Limits>>();
  const set = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes });
  const submit = () => {
    const limits = limitsOf(typed);
    setTold(limits === undefined);
    if (limits === undefined) return Promise.resolve();
    const changes = changesOf(inForce, limits);
    if (Object.keys(changes).length === 0) notifyInfo('Nothing was changed.');
    else setAsked(changes);
    return Promise.resolve();
  };
  return (
    <>
      <ForDuty act="set the platform">
        <Form
          label="Approval limits"
          onSubmit={(event) => {
            event.preventDefault();
            return submit();
          }}
        >
          <Deciders />
          {paymentChoices.map((currency) => (
            <TierFields
              key={currency}
              currency={currency}
              tiers={typed.tiers[currency]}
              isTold={isTold}
              onChange={(tiers) => set({ tiers: { ...typed.tiers, [currency]: tiers } })}
            />
          ))}
          <TextInput
            label={settingName('expireHours')}
            description="An approval keeps the end that it was given with."
            inputMode="numeric"
            autoComplete="off"
            value={typed.expireHours}
            error={isTold && wholeProblem('expireHours', typed.expireHours)}
            onChange={({ currentTarget: { value } }) => set({ expireHours: value })}
          />
          <WaitingChange part="approval-limits" />
          <FormActs submit="Set limits" busy={false}>
            <LastChange settings={settings} part="approval-limits" />
          </FormActs>
        </Form>
      </ForDuty>
      {asked !== undefined && <Review before={inForce} changes={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** How many a limit could ask for. */
function Deciders() {
  const { data } = useAdminsQuery();
  const count = data && decidersIn(data.admins).length;
  return (
    <p className="soft">
      Rejecting always takes one admin.
      {count !== undefined &&
        ` ${count === 1 ? 'One admin' : `${count} admins`} may decide now; a limit can ask for no more.`}
    </p>
  );
}

type ReviewProps = {
  readonly before: Limits;
  readonly changes: Partial<Limits>;
  readonly onClose: () => void;
};

function Review({ before, changes, onClose }: ReviewProps) {
  const [send] = useSetApprovalLimitsMutation();
  const { tiers, expireHours } = changes;
  const changed = Object.keys(tiers ?? {}) as readonly PaymentCurrency[];
  const rows = [
    ...changed.map((currency) => ({
      name: currency,
      before: tierWords(before.tiers[currency]),
      after: tierWords(tiers?.[currency] ?? []),
    })),
    ...(expireHours === undefined
      ? []
      : [
          {
            name: settingName('expireHours'),
            before: String(before.expireHours),
            after: String(expireHours),
          },
        ]),
  ];
  return (
    <ActDialog
      title="Set the approval limits"
      act="Set limits"
      reason="needed"
      about={changes}
      send={(input) => send({ ...changes, ...input, reason: input.reason ?? '' })}
      failed="Something went wrong."
      onClose={onClose}
    >
      <p>
        They count for what is decided once they are set, with what each admin moved within the last 24 hours
        while the currency had limits. What waits already takes as many approvals as it was told.
      </p>
      <TakesSecond part="approval-limits" />
      <Effect caption="What changes" rows={rows} />
    </ActDialog>
  );
}
