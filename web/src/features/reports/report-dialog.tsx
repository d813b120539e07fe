import { Button } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { MessageView } from '#contracts';
import { refusalOf } from '../../api';
import { useKey } from '../../lib';
import { Copyable, Dialog, notifyError, notifySuccess, When } from '../../ui';
import { ActDialog } from '../acts';
import { useMay } from '../duty';
import { useForgetMessageMutation, useReadMessageMutation, useUnreadMessageMutation } from './api';
import styles from './report-history.module.css';

const FAILED = 'Something went wrong.';
/** In pixels. */
const WIDTH = 560;

type Props = { readonly report: MessageView; readonly onClose: () => void };

/** Everything that somebody wrote; whether it was read is kept for all admins. */
export default function ReportDialog({ report, onClose }: Props) {
  const [isForgetting, setForgetting] = useState(false);
  const [forget] = useForgetMessageMutation();
  const mayAct = useMay('look after people');
  if (isForgetting)
    return (
      <ActDialog
        title="Forget this message"
        act="Forget for ever"
        warns
        reason="welcome"
        about={report.id}
        send={(input) => forget({ messageId: report.id, ...input })}
        failed={FAILED}
        onDone={onClose}
        onClose={() => setForgetting(false)}
      >
        <p>
          What {report.name} wrote, and name, e-mail and phone with it, can’t be read by anybody afterwards.
          That it came stays on record. It can’t be undone.
        </p>
      </ActDialog>
    );
  return (
    <Dialog title="Message" width={WIDTH} onClose={onClose}>
      <div className={`dialog-body ${styles.report ?? ''}`}>
        <Facts report={report} />
        <p className={styles.words}>{report.message}</p>
        {mayAct && (
          <div className={styles.acts}>
            <Button variant="subtle" onClick={() => setForgetting(true)}>
              Forget
            </Button>
            <Mark report={report} />
          </div>
        )}
      </div>
    </Dialog>
  );
}

function Facts({ report }: Pick<Props, 'report'>) {
  const { created, name, email, phone, businessType, subject, userId, isRead } = report;
  const facts = [
    ['Created', <When iso={created} />],
    ['Name', name],
    ['E-mail', <Copyable text={email} what="E-mail" />],
    ['Phone', phone],
    ['Business type', businessType],
    ['Subject', subject],
    ['From', userId === null ? 'A visitor' : 'A customer'],
    ['Status', isRead ? 'Read' : 'Unread'],
  ] as const;
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([_name, what]) => what !== '')
        .map(([what, shown]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd>{shown}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

function Mark({ report: { id, isRead } }: Pick<Props, 'report'>) {
  const [read, reading] = useReadMessageMutation();
  const [unread, unreading] = useUnreadMessageMutation();
  const key = useKey();
  const isBusy = reading.isLoading || unreading.isLoading;
  const onMark = async () => {
    const mark = isRead ? unread : read;
    const { data, error } = await mark({ messageId: id, idempotencyKey: key.of(isRead) });
    if (error === undefined) {
      key.done();
      notifySuccess(data.message);
      return;
    }
    const refusal = refusalOf(error, { failed: FAILED });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  return (
    <Button disabled={isBusy} onClick={() => void onMark()}>
      {isBusy ? 'Please wait' : isRead ? 'Mark as unread' : 'Mark as read'}
    </Button>
  );
}
