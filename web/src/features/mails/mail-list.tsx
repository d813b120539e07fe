import { Fragment, useState } from 'react';
import type { MailView } from '#contracts';
import { detailOf } from '../../api';
import { capitalized, trailOf, useAddress } from '../../lib';
import { Copyable, DataList, Dialog, When, type DataColumn } from '../../ui';
import { useMailsQuery } from './api';
import styles from './mail-list.module.css';

const none = [] as const;
const LIMIT = 10;
/** How often the page looks what became of the mails, in milliseconds: nothing else tells. */
const LOOK_MS = 15_000;
/** In pixels. */
const WIDTH = 520;

const states: Readonly<Record<MailView['state'], string>> = {
  queued: 'On its way',
  sent: 'Sent',
  'given up': 'Given up',
};

/** What a mail is about, as words. */
function aboutOf({ kind }: MailView): string {
  return capitalized(kind.replaceAll('-', ' '));
}

/** When it is tried next, or when it ended. */
function Then({ mail: { state, at } }: { readonly mail: MailView }) {
  return (
    <>
      {state === 'queued' ? 'Next try ' : state === 'sent' ? 'Sent ' : 'Last try '}
      <When iso={at} />
    </>
  );
}

const columns: readonly DataColumn<MailView>[] = [
  { head: 'Queued', place: 'date', width: '14ch', cell: ({ queuedAt }) => <When iso={queuedAt} /> },
  { head: 'About', place: 'lead', width: '16ch', cell: aboutOf },
  { head: 'To', place: 'more', width: '20ch', cell: ({ to }) => to },
  { head: 'Tries', place: 'figure', width: '3ch', cell: ({ attempts }) => attempts },
  { head: 'Then', place: 'more', width: '20ch', cell: (mail) => <Then mail={mail} /> },
  { head: 'Status', place: 'state', width: '8ch', cell: ({ state }) => states[state] },
];

/** The mails of late: to whom, what about, and what became of each. */
export function MailList() {
  const { values, set } = useAddress(none);
  const [opened, setOpened] = useState<MailView>();
  const trail = trailOf(values.cursor);
  const { data, error, refetch } = useMailsQuery(
    { cursor: trail.at, limit: LIMIT },
    { pollingInterval: LOOK_MS, skipPollingIfUnfocused: true },
  );
  const page = data && {
    items: data.items,
    first: trail.passed * LIMIT + 1,
    previous: trail.previous,
    next: trail.to(data.next),
  };
  const current = opened && (data?.items.find(({ mailId }) => mailId === opened.mailId) ?? opened);
  return (
    <>
      <DataList
        label="Mails"
        columns={columns}
        page={page}
        failure={error && { detail: detailOf(error), onRetry: () => void refetch() }}
        keyOf={({ mailId }) => mailId}
        selected={opened?.mailId}
        opens={{ word: 'View', name: (mail) => `mail to ${mail.to}`, open: setOpened }}
        onGo={(cursor) => set({ cursor })}
      />
      {current !== undefined && (
        <Dialog title="Mail" width={WIDTH} onClose={() => setOpened(undefined)}>
          <Facts mail={current} />
        </Dialog>
      )}
    </>
  );
}

function Facts({ mail }: { readonly mail: MailView }) {
  const facts = [
    ['About', aboutOf(mail)],
    ['To', <Copyable text={mail.to} what="Address" />],
    ['Status', states[mail.state]],
    ['Queued', <When iso={mail.queuedAt} />],
    [
      mail.state === 'queued' ? 'Next try' : mail.state === 'sent' ? 'Sent' : 'Last try',
      <When iso={mail.at} />,
    ],
    ['Tries', <span className="num">{mail.attempts}</span>],
    ['What it failed with', mail.failure],
    ['Person', <Copyable text={mail.userId} what="Id" />],
    ['Mail', <Copyable text={mail.mailId} what="Id" />],
  ] as const;
  return (
    <div className="dialog-body">
      <dl className={styles.facts}>
        {facts
          .filter(([_name, what]) => what !== null)
          .map(([name, what]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{what}</dd>
            </Fragment>
          ))}
      </dl>
      <p className="soft">What it says and its link are shown to nobody but whoever it goes to.</p>
    </div>
  );
}
