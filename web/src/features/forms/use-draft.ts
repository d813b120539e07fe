import { useCallback, useEffect, useState } from 'react';
import { useForm, type DefaultValues, type UseFormReturn } from 'react-hook-form';
import { useUser } from '../../api';
import { draftOf, keepDraft, useKey, type FormKey } from '../../lib';

/**
 * The fields of a form that are kept while it is not sent: texts, and choices of a few. Never what proves who asks, and no
 * file: a field that is not named here is not kept.
 */
export type Kept<Fields> = { readonly [Name in keyof Fields]?: 'text' | readonly Fields[Name][] };

type Drafted<Fields extends object> = {
  readonly form: UseFormReturn<Fields>;
  /** What the form began with. */
  readonly begin: Fields;
  readonly key: FormKey;
  /** It was sent: the form is empty again, and nothing of it is kept. */
  readonly done: () => void;
};

/** A form that has again what its person typed, after a reload and after another sign-in in the same tab. */
export function useDraft<Fields extends object>(
  name: string,
  empty: Fields,
  kept: Kept<Fields>,
): Drafted<Fields> {
  const { userId } = useUser();
  const [given] = useState({ empty, kept });
  const [begin] = useState(() => ({ ...empty, ...restored(draftOf(userId, name).fields, kept) }));
  const form = useForm<Fields>({ defaultValues: begin as DefaultValues<Fields> });
  const key = useKey({
    begin: draftOf(userId, name).sent,
    keep: (sent) => keepDraft(userId, name, { sent }),
  });
  const { subscribe, reset } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => keepDraft(userId, name, { fields: typedIn(values, given) }),
      }),
    [subscribe, userId, name, given],
  );
  const done = useCallback(() => {
    key.done();
    reset(given.empty);
    keepDraft(userId, name, { fields: undefined });
  }, [key, reset, given, userId, name]);
  return { form, begin, key, done };
}

/** Of what was kept, what the form still takes. */
function restored<Fields extends object>(
  fields: Readonly<Record<string, unknown>> = {},
  kept: Kept<Fields>,
): Partial<Fields> {
  const entries = Object.entries<'text' | readonly unknown[] | undefined>(kept).filter(([name, takes]) => {
    const value = fields[name];
    return takes === 'text' ? typeof value === 'string' : takes?.includes(value) === true;
  });
  return Object.fromEntries(entries.map(([name]) => [name, fields[name]])) as Partial<Fields>;
}

/** What is to be kept of a form; undefined where that is as empty as at first. */
function typedIn<Fields extends object>(
  values: Fields,
  { empty, kept }: { readonly empty: Fields; readonly kept: Kept<Fields> },
): Readonly<Record<string, string>> | undefined {
  const names = Object.keys(kept) as (keyof Fields & string)[];
  if (names.every((name) => (values[name] ?? empty[name]) === empty[name])) return undefined;
  return Object.fromEntries(names.map((name) => [name, String(values[name] ?? '')]));
}
