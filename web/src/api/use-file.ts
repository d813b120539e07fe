import { useEffect, useState } from 'react';
import { pathOf, routes } from './contract';
import { SessionOver } from './session-client';
import { useSessionClient } from './session-context';

export type FileState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly url: string; readonly blob: Blob }
  | { readonly phase: 'failed'; readonly retry: () => void };

/** A stored file as an object URL, fetched with the person's token; let go of when the screen closes. */
export function useFile(fileId: string): FileState {
  const session = useSessionClient();
  const [attempt, setAttempt] = useState(0);
  const [file, setFile] = useState<{ readonly url: string; readonly blob: Blob } | null>();

  useEffect(() => {
    const closing = new AbortController();
    let made: string | undefined;
    setFile(undefined);
    session
      .fetch(pathOf(routes.file, { fileId }), { signal: closing.signal })
      .then(async (response) => {
        if (!response.ok) throw new Error(`The file was answered with ${response.status}.`);
        const blob = await response.blob();
        if (closing.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setFile({ url: made, blob });
      })
      .catch(async (error: unknown) => {
        const goesOn = error instanceof SessionOver && (await session.resumed(error, closing.signal));
        if (goesOn) setAttempt((count) => count + 1);
        else if (!closing.signal.aborted) setFile(null);
      });
    return () => {
      closing.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [session, fileId, attempt]);

  if (file === undefined) return { phase: 'loading' };
  if (file === null) return { phase: 'failed', retry: () => setAttempt((count) => count + 1) };
  return { phase: 'ready', ...file };
}
