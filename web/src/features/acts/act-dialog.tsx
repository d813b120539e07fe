import { Button, Textarea } from '@mantine/core';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { REASON_LENGTH_MAX } from '#contracts';
import { refusalOf, type Failure } from '../../api';
import { useKey } from '../../lib';
import { Dialog, notifyAnswer, notifyError } from '../../ui';
import styles from './act-dialog.module.css';

/** In pixels. */
const WIDTH = 480;

/** What an act is sent with: its reason, left out where none was given, and the key of its command. */
export type ActInput = { readonly reason?: string; readonly idempotencyKey: string };
type Outcome = {
  readonly error?: Failure | undefined;
  readonly data?: { readonly message: string; readonly approvals?: unknown } | undefined;
};

type Props = {
  readonly title: string;
  /** The word on the button. */
  readonly act: string;
  /** The word on the button that closes it, where “Cancel” could mean the act itself. */
  readonly dismiss?: string;
  /** It takes something away: the button warns. */
  readonly warns?: boolean;
  readonly reason: 'needed' | 'welcome' | 'none';
  /** False as long as its own fields say nothing that could be sent. */
  readonly ready?: boolean;
  /** What the command is about, beside its reason: a repeat of the same keeps its key. */
  readonly about?: unknown;
  readonly send: (input: ActInput) => Promise<Outcome>;
  /** What is said when it was done, where that is not what the service says. */
  readonly done?: string;
  /** What is said when the service failed. */
  readonly failed: string;
  /** Not called where it waits for another admin. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** Whom it is about, what will be different, and fields of its own. */
  readonly children: ReactNode;
};

/** Asks again before an admin does something: says whom it is about and what follows, and takes the reason that is kept with it. */
export default function ActDialog(props: Props) {
  const { title, reason, about, send, done, failed, onDone, onClose, children } = props;
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const key = useKey();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const given = text.trim();
    if (reason === 'needed' && given === '') {
      setMissing(true);
      return;
    }
    setBusy(true);
    const idempotencyKey = key.of([about, given]);
    const { error, data } = await send({ idempotencyKey, ...(given !== '' && { reason: given }) });
    setBusy(false);
    if (error === undefined) {
      key.done();
      notifyAnswer(data ?? { message: '' }, done);
      if (data?.approvals === undefined) onDone?.();
      onClose();
      return;
    }
    const refusal = refusalOf(error, { failed });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  return (
    <Dialog title={title} width={WIDTH} onClose={onClose}>
      <form className={styles.act} onSubmit={(event) => void submit(event)} noValidate>
        {children}
        {reason !== 'none' && (
          <Textarea
            label={reason === 'needed' ? 'Reason' : 'Reason, if there is one'}
            description="Kept with the act."
            value={text}
            maxLength={REASON_LENGTH_MAX}
            rows={2}
            required={reason === 'needed'}
            withAsterisk={false}
            error={isMissing && 'Please give a reason.'}
            onChange={({ currentTarget: { value } }) => {
              setText(value);
              setMissing(false);
            }}
          />
        )}
        <Buttons {...props} isBusy={isBusy} />
      </form>
    </Dialog>
  );
}

type ButtonsProps = Pick<Props, 'act' | 'dismiss' | 'warns' | 'ready' | 'onClose'> & {
  readonly isBusy: boolean;
};

function Buttons({ act, dismiss = 'Cancel', warns = false, ready = true, isBusy, onClose }: ButtonsProps) {
  return (
    <div className={styles.buttons}>
      <Button variant="subtle" onClick={onClose}>
        {dismiss}
      </Button>
      <Button type="submit" {...(warns && { variant: 'danger' })} disabled={isBusy || !ready}>
        {isBusy ? 'Please wait' : act}
      </Button>
    </div>
  );
}
