import type { EventSourceMessage } from 'eventsource-parser';
import { SessionOver } from '../session-client';
import type { LiveState } from '../sync';

/** An event of the live stream. */
export type Frame = Readonly<EventSourceMessage>;

/** An event longer than this, in characters, is not one of ours. */
export const FRAME_MAX = 64 * 1024;

/** The server says hello at once; where nothing has come after this long, something on the way holds it back. */
const HELLO_MS_MAX = 10_000;
/** The server sends a heartbeat every 15 s; after this long without one the connection is dead. */
const SILENCE_MS_MAX = 25_000;
const BACK_OFF_MS_MIN = 1_000;
/** With the time that hello may take, what is on screen is never asked for more than half a minute after the last time. */
const BACK_OFF_MS_MAX = 20_000;

/** How long to wait before try number `attempt` (from 0): doubling, capped, and never the same for every browser. */
export function backOff(attempt: number, random: () => number): number {
  const ceiling = Math.min(BACK_OFF_MS_MAX, BACK_OFF_MS_MIN * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}

export type ListenOptions = {
  /** Opens the stream, from after `lastEventId` when there is one. */
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
  readonly onFrame: (frame: Frame) => void;
  readonly onState: (state: LiveState) => void;
  /** Called whenever the stream could not be had: what changed meanwhile has to be asked for. */
  readonly onGap: () => void;
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Ends a connection on which nothing comes. */
function watch(connection: AbortController) {
  const end = () => connection.abort();
  let timer = setTimeout(end, HELLO_MS_MAX);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_MS_MAX);
    },
    done() {
      clearTimeout(timer);
      end();
    },
  };
}

async function readStream(response: Response, heard: () => void, onFrame: (frame: Frame) => void) {
  if (!response.ok || response.body === null) throw new Error(`Live was answered with ${response.status}.`);
  // No screen waits for it: it comes when there is something to read.
  const { createParser } = await import('eventsource-parser');
  const parser = createParser({
    onEvent: onFrame,
    onError: (error) => {
      // Fields that we don't know are passed over, as the standard has it.
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
    maxBufferSize: FRAME_MAX,
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

/**
 * Listens until `signal` is aborted or the session is over, reconnecting with back-off and resuming from the last event
 * that was seen.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { open, onFrame, onState, onGap, signal, random, wait } = options;
  let lastEventId = options.lastEventId;
  let attempt = 0;
  onState('connecting');
  while (!signal.aborted) {
    const connection = new AbortController();
    const silence = watch(connection);
    try {
      const response = await open(lastEventId, AbortSignal.any([signal, connection.signal]));
      await readStream(response, silence.heard, (frame) => {
        attempt = 0;
        if (frame.id !== undefined) lastEventId = frame.id;
        onState('live');
        onFrame(frame);
      });
    } catch (error) {
      if (error instanceof SessionOver) break;
    } finally {
      silence.done();
    }
    if (signal.aborted) break;
    onState('reconnecting');
    await wait(backOff(attempt, random), signal);
    attempt += 1;
    if (!signal.aborted) onGap();
  }
  onState('off');
}
