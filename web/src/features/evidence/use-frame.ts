import { useCallback, useEffect, useRef, useState } from 'react';
import { readFromFrame, type Failure, type Place, type ToFrame } from '../../pdf/messages';
import type { Size } from './view';

/** How long a PDF has until its first page is there, in milliseconds. */
const OPEN_MS = 30_000;

/** What a document without an origin is called where it sends messages from. */
const NO_ORIGIN = 'null';

type State =
  | {
      readonly phase: 'open';
      /** The one that is shown or on its way. */
      readonly page: number;
      /** 0 until it is known. */
      readonly pages: number;
      readonly size?: Size;
      readonly isDrawn: boolean;
    }
  | { readonly phase: 'failed'; readonly why: Failure | 'slow' };

export type Frame = {
  readonly frame: React.RefObject<HTMLIFrameElement | null>;
  readonly state: State;
  readonly goTo: (page: number) => void;
  readonly place: (place: Place) => void;
};

/** The frame that draws a PDF: gets its bytes, and says what came of it. What others send is not heard. */
export function useFrame(file: Blob): Frame {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<State>({ phase: 'open', page: 1, pages: 0, isDrawn: false });
  const send = useCallback((message: ToFrame, moved: readonly Transferable[] = []) => {
    // It has no origin to be named; only this site's documents can be in the frame, by the page's policy.
    frame.current?.contentWindow?.postMessage(message, '*', [...moved]);
  }, []);
  useEffect(() => {
    let isSent = false;
    const hear = ({ data, origin, source }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow || origin !== NO_ORIGIN) return;
      const message = readFromFrame(data);
      if (message?.kind === 'ready' && !isSent) {
        isSent = true;
        void file.arrayBuffer().then((bytes) => send({ kind: 'open', bytes }, [bytes]));
      }
      if (message?.kind === 'opened') send({ kind: 'page', page: 1 });
      if (message !== undefined) setState((before) => heard(before, message));
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [file, send]);
  const isOpening = state.phase === 'open' && state.size === undefined;
  useEffect(() => {
    if (!isOpening) return undefined;
    const timer = setTimeout(() => setState({ phase: 'failed', why: 'slow' }), OPEN_MS);
    return () => clearTimeout(timer);
  }, [isOpening]);
  const pages = state.phase === 'open' ? state.pages : 0;
  const goTo = useCallback(
    (page: number) => {
      if (page < 1 || page > pages) return;
      setState((before) => (before.phase === 'open' ? { ...before, page, isDrawn: false } : before));
      send({ kind: 'page', page });
    },
    [pages, send],
  );
  const place = useCallback((at: Place) => send({ kind: 'place', ...at }), [send]);
  return { frame, state, goTo, place };
}

/** What is known after a message of the frame. */
function heard(before: State, message: NonNullable<ReturnType<typeof readFromFrame>>): State {
  if (before.phase === 'failed') return before;
  switch (message.kind) {
    case 'ready':
      return before;
    case 'opened':
      return { ...before, pages: message.pages };
    case 'page': {
      const { page, width, height } = message;
      return page === before.page ? { ...before, size: { width, height } } : before;
    }
    case 'drawn':
      return message.page === before.page ? { ...before, isDrawn: true } : before;
    case 'failed':
      return { phase: 'failed', why: message.why };
  }
}
