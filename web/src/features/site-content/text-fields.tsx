import { Button, Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { refusalOf } from '../../api';
import { notifyError } from '../../ui';
import { useUploadSiteMediaMutation } from './api';
import type { Faults } from './use-preview';
import { isMedia, newItemOf, storedText, wordsOf, type Section, type Text } from './texts';
import styles from './site-content.module.css';

/** Longer texts get a field of several lines. */
const LINE_MAX = 80;
const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,video/mp4';

type Props = {
  readonly section: Section;
  /** The member that it is. */
  readonly name: string;
  readonly label: string;
  /** Its path within the content. */
  readonly path: string;
  readonly faults: Faults;
  readonly value: Text;
  readonly onChange: (value: Text) => void;
};

/** The fields of a section or of a part of it: one for each text, and lists that grow and shrink. */
export function TextFields(props: Props) {
  const { section, label, path, faults, value, onChange } = props;
  if (value === null || typeof value === 'string') return <One {...props} value={value ?? ''} />;
  if (isList(value)) return <ListFields {...props} value={value} />;
  return (
    <fieldset className={styles.group}>
      <legend className="lode-label">{label}</legend>
      {Object.entries(value).map(([member, held]) => (
        <TextFields
          key={member}
          section={section}
          name={member}
          label={wordsOf(member)}
          path={`${path}.${member}`}
          faults={faults}
          value={held}
          onChange={(changed) => onChange({ ...value, [member]: changed })}
        />
      ))}
    </fieldset>
  );
}

function ListFields({
  section,
  name,
  label,
  path,
  faults,
  value,
  onChange,
}: Omit<Props, 'value'> & { readonly value: readonly Text[] }) {
  const fault = faults.get(path);
  return (
    <fieldset className={styles.group}>
      <legend className="lode-label">{label}</legend>
      {value.map((item, at) => (
        <div key={at} className={styles.item}>
          <TextFields
            section={section}
            name={name}
            label={`${label}, ${at + 1}`}
            path={`${path}.${at}`}
            faults={faults}
            value={item}
            onChange={(changed) => onChange(value.map((one, place) => (place === at ? changed : one)))}
          />
          <Button
            variant="subtle"
            size="xs"
            aria-label={`Remove ${label.toLowerCase()} ${at + 1}`}
            onClick={() => onChange(value.filter((_, place) => place !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      {fault !== undefined && <p className="lode-error">{fault}</p>}
      <Button
        variant="default"
        size="xs"
        onClick={() =>
          onChange([...value, value[0] === undefined ? newItemOf(section, name) : blank(value[0])])
        }
      >
        Add to {label.toLowerCase()}
      </Button>
    </fieldset>
  );
}

function isList(value: Text): value is readonly Text[] {
  return Array.isArray(value);
}

/** The same shape with nothing in it; what is one of a few words stays. */
function blank(value: Text): Text {
  if (value === null || typeof value === 'string') return '';
  if (isList(value)) return [];
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      name === 'kind' ? held : held === null ? null : blank(held),
    ]),
  );
}

function One({ name, label, path, faults, value, onChange }: Props & { readonly value: string }) {
  const isLong = name === 'text' || name === 'note' || value.length > LINE_MAX;
  const Field = isLong ? Textarea : TextInput;
  return (
    <div className={styles.one}>
      <Field
        label={label}
        value={value}
        error={faults.get(path)}
        {...(isLong && { autosize: true, minRows: 2, maxRows: 12 })}
        onChange={({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
          onChange(storedText(name, currentTarget.value))
        }
      />
      {isMedia(name) && <Upload label={label} onUploaded={onChange} />}
    </div>
  );
}

/** Uploads a picture or film of the site, and gives where it is. */
function Upload({
  label,
  onUploaded,
}: {
  readonly label: string;
  readonly onUploaded: (url: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [upload, { isLoading }] = useUploadSiteMediaMutation();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const { data, error } = await upload({ file });
    if (error === undefined) {
      onUploaded(data.url);
      return;
    }
    const refusal = refusalOf(error, { failed: 'Failed to upload image.' });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        accept={ACCEPTED}
        aria-label={`File for ${label.toLowerCase()}`}
        onChange={(event) => {
          void take(event.currentTarget.files?.[0]);
          // The same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <Button variant="default" size="xs" disabled={isLoading} onClick={() => input.current?.click()}>
        {isLoading ? 'Please wait' : 'Upload'}
        <span className="visually-hidden"> {label.toLowerCase()}</span>
      </Button>
    </>
  );
}
