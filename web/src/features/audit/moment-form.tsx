import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Moment } from './moment';
import { submitted } from './submitted';
import styles from './audit.module.css';

type Props = { readonly moment: Moment; readonly onGo: (moment: Moment) => void };

/** As of when something is shown: an instant, a place in the log, or now. */
export function MomentForm({ moment, onGo }: Props) {
  const [instant, setInstant] = useState(moment.at?.slice(0, 19) ?? '');
  const [place, setPlace] = useState(moment.position ?? '');
  const [fault, setFault] = useState<string>();
  const show = () => {
    const position = place.trim();
    if (position !== '' && !/^(?:0|[1-9]\d{0,19})$/.test(position)) {
      setFault('Enter a position, such as 1042.');
      return;
    }
    const time = Date.parse(`${instant}Z`);
    onGo(position !== '' ? { position } : Number.isNaN(time) ? {} : { at: new Date(time).toISOString() });
  };
  return (
    <form
      className={`card ${styles.momentForm ?? ''}`}
      aria-label="As of"
      noValidate
      onSubmit={submitted(show)}
    >
      <TextInput
        label="As of an instant, UTC"
        type="datetime-local"
        step={1}
        value={instant}
        onChange={({ currentTarget: { value } }) => {
          setInstant(value);
          setPlace('');
        }}
      />
      <TextInput
        label="Or as of a position"
        inputMode="numeric"
        autoComplete="off"
        value={place}
        error={fault}
        onChange={({ currentTarget: { value } }) => {
          setPlace(value);
          setInstant('');
          setFault(undefined);
        }}
      />
      <div className={styles.addingActs}>
        <Button type="submit">Show</Button>
        <Button variant="default" onClick={() => onGo({})}>
          Now
        </Button>
      </div>
    </form>
  );
}
