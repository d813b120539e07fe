import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, type ActInput } from '../acts';
import {
  useCancelRebuildMutation,
  useDiscardParkedMutation,
  useRebuildModelMutation,
  type Parked,
} from './api';

type Props = { readonly model: string; readonly onDone: () => void; readonly onClose: () => void };

/** Asks again before a read model is built anew. */
export function RebuildDialog({ model, onDone, onClose }: Props) {
  const [rebuild] = useRebuildModelMutation();
  return (
    <ActDialog
      title={`Rebuild ${model}`}
      act="Rebuild"
      reason="none"
      send={async () => ({ error: (await rebuild({ model })).error })}
      done={`${model} is being built anew.`}
      failed={`${model} could not be built anew.`}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        The whole log is folded into new documents beside those that are read now. These answer until the new
        ones have caught up; then they swap. Nothing in the log changes.
      </p>
    </ActDialog>
  );
}

/** Asks for the read model's name before a build is thrown away. */
export function CancelDialog({ model, onDone, onClose }: Props) {
  const [cancel] = useCancelRebuildMutation();
  const [typed, setTyped] = useState('');
  const send = async () => {
    const { data, error } = await cancel({ model });
    if (error !== undefined) return { error };
    const done = `The rebuild of ${model} was canceled.`;
    return { data: { message: data.cancelled ? done : `No rebuild of ${model} is under way any more.` } };
  };
  return (
    <ActDialog
      title={`Cancel the rebuild of ${model}`}
      act="Cancel rebuild"
      dismiss="Keep building"
      warns
      ready={typed.trim() === model}
      reason="none"
      send={send}
      failed={`The rebuild of ${model} could not be canceled.`}
      onDone={onDone}
      onClose={onClose}
    >
      <p>What was built so far is thrown away. What is read now stays as it is.</p>
      <TextInput
        label={`Type ${model} to confirm`}
        value={typed}
        autoComplete="off"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </ActDialog>
  );
}

/** Asks for a reason before a read model goes on without an event. */
export function DiscardDialog({ model, event, onDone, onClose }: Props & { readonly event: Parked }) {
  const [discard] = useDiscardParkedMutation();
  const { eventId, type, position, stream } = event;
  const send = async ({ reason = '' }: ActInput) => {
    const { data, error } = await discard({ model, eventId, reason });
    if (error !== undefined) return { error };
    const { discarded, left } = data;
    const still = left > 0 ? ` ${left} of ${stream} still parked.` : '';
    const done = `${model} goes on without the event.${still}`;
    return { data: { message: discarded ? done : 'The event is not parked any more.' } };
  };
  return (
    <ActDialog
      title="Discard a parked event"
      act="Discard"
      warns
      reason="needed"
      about={[model, eventId]}
      send={send}
      failed="The event could not be discarded."
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {model} goes on without {type} at {position} of {stream}, until it is built anew. The log keeps the
        event.
      </p>
    </ActDialog>
  );
}
