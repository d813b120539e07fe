import { NativeSelect } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { defaultDisplay, displayLanguages, type AccountView } from '#contracts';
import { refusalOf, useChangePreferencesMutation } from '../../api';
import { useKey } from '../../lib';
import { Form, FormActs, notifySuccess } from '../../ui';
import { tellRefusal } from '../forms';

const captions: Readonly<Record<(typeof displayLanguages)[number], string>> = {
  standard: 'Standard: 2026-01-31 14:05, 1,234.50',
  'en-GB': 'English, United Kingdom: 31 Jan 2026, 1,234.50',
  'en-US': 'English, United States: Jan 31, 2026, 1,234.50',
  'en-IN': 'English, India: 31 Jan 2026, 12,34,567.50',
  'de-DE': 'Deutsch: 31.01.2026, 1.234,50',
  'fr-FR': 'Français: 31 janv. 2026, 1 234,50',
  'es-ES': 'Español: 31 ene 2026, 1.234,50',
  'pt-BR': 'Português, Brasil: 31 de jan. de 2026, 1.234,50',
};

/** Every zone that this browser knows, with UTC, which is not among them, and the one that is chosen. */
function zonesWith(chosen: string): readonly string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set([defaultDisplay.timeZone, chosen, ...known])];
}

/** How dates and numbers are written, and in which time zone; kept with the account. */
export function DisplayForm({ account: { userId, preferences } }: { readonly account: AccountView }) {
  const [change] = useChangePreferencesMutation();
  const key = useKey();
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { language: preferences.language, timeZone: preferences.timeZone },
  });
  const submit = handleSubmit(async (chosen) => {
    const { error } = await change({ userId, ...chosen, idempotencyKey: key.of(chosen) });
    if (error === undefined) {
      key.done();
      notifySuccess('Display preferences saved.');
      return;
    }
    const refusal = refusalOf(error, {
      failed: 'Failed to save how things are shown.',
      fields: ['language', 'timeZone'],
    });
    tellRefusal(refusal, setError);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="Formats" onSubmit={submit}>
      <NativeSelect
        label="Dates and numbers"
        description="Amounts are typed with a point, whatever is chosen here."
        data={displayLanguages.map((value) => ({ value, label: captions[value] }))}
        error={errors.language?.message}
        {...register('language')}
      />
      <NativeSelect
        label="Time zone"
        data={[...zonesWith(preferences.timeZone)]}
        error={errors.timeZone?.message}
        {...register('timeZone')}
      />
      <FormActs submit="Save display" busy={isSubmitting} quiet />
    </Form>
  );
}
