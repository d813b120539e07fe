import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { NoteView } from '#contracts';
import { detailOf, refusalOf } from '../../api';
import { useKey } from '../../lib';
import { ListCard, LoadFailed, Notice, notifyError, notifySuccess, Skeleton, When } from '../../ui';
import { useMay } from '../duty';
import { useAddNoteMutation, useNotesInfiniteQuery } from './api';
import styles from './people.module.css';

const NOTE_MAX = 2_000;
const FAILED = 'Failed to save the note.';

type Props = {
  readonly userId: string;
  /** Nothing is noted about somebody whose account is closed. */
  readonly isClosed: boolean;
};

/** What admins noted about somebody, newest first, and one more. */
export function NotesOf({ userId, isClosed }: Props) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useNotesInfiniteQuery({
    userId,
  });
  const mayNote = useMay('look after people');
  const notes = data?.pages.flatMap(({ items }) => items);
  return (
    <ListCard title="Notes" action={<span className="soft">admins only</span>}>
      {data === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={styles.notes} aria-label="Notes">
          {notes === undefined && (
            <li>
              <Skeleton width="24ch" />
            </li>
          )}
          {notes?.map((note) => (
            <Note key={note.id} note={note} />
          ))}
        </ul>
      )}
      {notes?.length === 0 && <Notice title="No logs available." />}
      {hasNextPage && (
        <button
          type="button"
          className={`action ${styles.older ?? ''}`}
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? 'Please wait' : 'Show older'}
        </button>
      )}
      {mayNote && !isClosed && <NewNote userId={userId} />}
    </ListCard>
  );
}

function Note({ note: { text, by, at } }: { readonly note: NoteView }) {
  return (
    <li>
      <p>{text}</p>
      <p className="soft">
        {by.name}, <When iso={at} />
      </p>
    </li>
  );
}

function NewNote({ userId }: { readonly userId: string }) {
  const [add, { isLoading }] = useAddNoteMutation();
  const [text, setText] = useState('');
  const key = useKey();
  const send = async () => {
    const note = text.trim();
    const { error } = await add({ userId, text: note, idempotencyKey: key.of(note) });
    if (error === undefined) {
      key.done();
      setText('');
      notifySuccess('Note added');
      return;
    }
    const refusal = refusalOf(error, { failed: FAILED });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  return (
    <div className={styles.newNote}>
      <Textarea
        label="New note"
        description="Encrypted with the person’s key, and erased with them."
        value={text}
        maxLength={NOTE_MAX}
        rows={2}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Button
        variant="default"
        size="xs"
        disabled={isLoading || text.trim() === ''}
        onClick={() => void send()}
      >
        {isLoading ? 'Please wait' : 'Add note'}
      </Button>
    </div>
  );
}
