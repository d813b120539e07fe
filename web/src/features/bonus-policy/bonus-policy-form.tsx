import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { paymentChoices, type SettingsView } from '#contracts';
import { Form, FormActs, notifyInfo, Segments } from '../../ui';
import { ActDialog, Effect } from '../acts';
import { TakesSecond, WaitingChange } from '../approvals';
import { ForDuty } from '../duty';
import { LastChange, settingName, WithSettings } from '../setting';
import { useSetBonusPolicyMutation } from './api';
import { BonusPreview } from './bonus-preview';
import {
  bounds,
  differences,
  policyOf,
  rateProblem,
  typedOf,
  wholeProblem,
  type Policy,
  type TypedPolicy,
  type WholeField,
} from './policy';

const wholes = Object.keys(bounds) as readonly WholeField[];
const hints: Readonly<Record<WholeField, string>> = {
  windowDays: 'Counts for cycles that begin from now on.',
  everyHours: 'Also how often the tick runs.',
  capDays: 'Of one cycle.',
};

/** How the promotional bonus is worked out, what that would pay at the next tick, and a change of it with a reason. */
export function BonusPolicyForm() {
  return <WithSettings>{(settings) => <Fields settings={settings} />}</WithSettings>;
}

function Fields({ settings }: { readonly settings: SettingsView }) {
  const { bonusPolicy } = settings;
  const { control, register, handleSubmit, formState, reset, setValue } = useForm<TypedPolicy>({
    defaultValues: typedOf(bonusPolicy),
  });
  const { errors } = formState;
  const typed = useWatch({ control }) as TypedPolicy;
  const [asked, setAsked] = useState<Policy>();
  const submit = handleSubmit((values) => {
    const policy = policyOf(values);
    if (policy === undefined || differences(bonusPolicy, policy).length === 0)
      notifyInfo('Nothing was changed.');
    else setAsked(policy);
  });
  return (
    <>
      <ForDuty act="set the platform">
        <Form label="Bonus policy" onSubmit={submit}>
          <TextInput
            label="Rate: the part of the wallet that one day pays"
            description="0.10 is a tenth. 0 pays no bonus."
            inputMode="decimal"
            autoComplete="off"
            error={errors.rate?.message}
            {...register('rate', { validate: (text) => rateProblem(text) ?? true })}
          />
          {wholes.map((name) => (
            <TextInput
              key={name}
              label={settingName(name)}
              description={hints[name]}
              inputMode="numeric"
              autoComplete="off"
              error={errors[name]?.message}
              {...register(name, { validate: (text) => wholeProblem(name, text) ?? true })}
            />
          ))}
          <Segments
            label={settingName('currency')}
            values={paymentChoices}
            value={typed.currency}
            onChange={(currency) => setValue('currency', currency)}
          />
          <WaitingChange part="bonus-policy" />
          <FormActs submit="Set policy" busy={false}>
            <LastChange settings={settings} part="bonus-policy" />
          </FormActs>
        </Form>
      </ForDuty>
      <BonusPreview inForce={bonusPolicy} typed={policyOf(typed)} />
      {asked !== undefined && (
        <Review
          before={bonusPolicy}
          policy={asked}
          onDone={() => reset(typedOf(asked))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

type ReviewProps = {
  readonly before: Policy;
  readonly policy: Policy;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

function Review({ before, policy, onDone, onClose }: ReviewProps) {
  const [send] = useSetBonusPolicyMutation();
  return (
    <ActDialog
      title="Set the bonus policy"
      act="Set policy"
      reason="needed"
      about={policy}
      send={({ reason = '', ...input }) => send({ policy, reason, ...input })}
      failed="Something went wrong."
      onDone={onDone}
      onClose={onClose}
    >
      <p>It counts from the next tick on, for cycles under way, too. What was paid stays.</p>
      <TakesSecond part="bonus-policy" />
      <Effect
        caption="What changes"
        rows={differences(before, policy).map((name) => ({
          name: settingName(name),
          before: String(before[name]),
          after: String(policy[name]),
        }))}
      />
    </ActDialog>
  );
}
