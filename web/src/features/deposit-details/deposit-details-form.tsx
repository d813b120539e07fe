import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Form, FormActs, notifyInfo } from '../../ui';
import { ActDialog, Effect } from '../acts';
import { TakesSecond, WaitingChange } from '../approvals';
import { ForDuty } from '../duty';
import { LastChange, settingName, WithSettings } from '../setting';
import type { SettingsView } from '#contracts';
import { useChangeDepositDetailsMutation } from './api';
import { addressFields, changesIn, contactFields, typedOf, type DepositField, type Typed } from './changes';

const NOT_SET = 'not set';
const BLANKS = 'A wallet address has no blanks.';

type Props = {
  /** One of several forms on a screen: its button is not the screen's own. */
  readonly quiet?: boolean;
};

/** Where the platform is reached and where customers pay to: what is in force, and a change of it with a reason. */
export function DepositDetailsForm({ quiet = false }: Props) {
  return <WithSettings>{(settings) => <Fields settings={settings} quiet={quiet} />}</WithSettings>;
}

type Changes = ReturnType<typeof changesIn>;

function Fields({ settings, quiet }: { readonly settings: SettingsView; readonly quiet: boolean }) {
  const { depositDetails } = settings;
  const { register, handleSubmit, formState, reset } = useForm<Typed>({
    defaultValues: typedOf(depositDetails),
  });
  const { dirtyFields, errors } = formState;
  const [asked, setAsked] = useState<{ readonly changes: Changes; readonly typed: Typed }>();
  const submit = handleSubmit((typed) => {
    const changes = changesIn(typed, dirtyFields, depositDetails);
    if (Object.keys(changes).length === 0) notifyInfo('Nothing was changed.');
    else setAsked({ changes, typed });
  });
  return (
    <>
      <ForDuty act="set the platform">
        <Form label="Global Settings" onSubmit={submit}>
          <TextInput label={settingName('phoneNumber')} {...register('phoneNumber')} />
          <TextInput label={settingName('email')} type="email" {...register('email')} />
          <Textarea label={settingName('contactAddress')} rows={2} {...register('contactAddress')} />
          {addressFields(depositDetails).map((name) => (
            <TextInput
              key={name}
              label={settingName(name)}
              autoComplete="off"
              spellCheck={false}
              error={errors[name]?.message}
              {...register(name, { validate: (text) => !/\s/.test(text.trim()) || BLANKS })}
            />
          ))}
          <WaitingChange part="deposit-details" />
          <FormActs submit="Save changes" busy={false} quiet={quiet}>
            <LastChange settings={settings} part="deposit-details" />
          </FormActs>
        </Form>
      </ForDuty>
      {asked !== undefined && (
        <Review
          settings={settings}
          changes={asked.changes}
          onDone={() => reset(asked.typed)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

type ReviewProps = {
  readonly settings: SettingsView;
  readonly changes: Changes;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

/** Says again what will be other than now, and what follows where it is where customers pay to. */
function Review({ settings: { depositDetails }, changes, onDone, onClose }: ReviewProps) {
  const [send] = useChangeDepositDetailsMutation();
  const changed = Object.entries(changes) as [DepositField, string | null][];
  const isPaidTo = changed.some(([name]) => !contactFields.includes(name));
  return (
    <ActDialog
      title="Change the platform’s details"
      act="Change"
      reason="needed"
      about={changes}
      send={({ reason = '', ...input }) => send({ ...changes, reason, ...input })}
      failed="Something went wrong."
      onDone={onDone}
      onClose={onClose}
    >
      {isPaidTo && (
        <>
          <p>
            Once it is changed, customers are told to pay to the new address. Compare it with its source,
            letter by letter.
          </p>
          <TakesSecond part="deposit-details" />
        </>
      )}
      <Effect
        caption="What changes"
        rows={changed.map(([name, value]) => ({
          name: settingName(name),
          before: depositDetails[name] ?? NOT_SET,
          after: value ?? NOT_SET,
        }))}
      />
    </ActDialog>
  );
}
