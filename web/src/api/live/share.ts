import type { Change } from '#contracts';
import { pause } from '../../lib';
import type { LiveState } from '../sync';
import { listen, type Frame, type ListenOptions } from './listen';

/** What one tab hears for all: a change, that everything may have changed, or how the connection is. */
export type LiveMessage =
  | { readonly kind: 'change'; readonly change: Change; readonly at: string | undefined }
  | { readonly kind: 'reset' }
  | { readonly kind: 'state'; readonly state: LiveState };

type Asked = { readonly kind: 'who' };

/** What a frame says, or nothing for those that say nothing to a screen. */
export function messageOf(frame: Frame): LiveMessage | undefined {
  if (frame.event === 'reset') return { kind: 'reset' };
  if (frame.event !== 'change') return undefined;
  return { kind: 'change', change: JSON.parse(frame.data) as Change, at: frame.id };
}

/**
 * Follows the live stream of a person with one connection for all tabs of the browser: the tab that holds the lock
 * listens and tells the others; when it closes, the next one goes on from the last event that it was told of.
 * Gives the function that stops it.
 */
export function shareLive(
  userId: string,
  open: ListenOptions['open'],
  deliver: (message: LiveMessage) => void,
): () => void {
  const name = `lode-live-${userId}`;
  const canShare = 'locks' in navigator && typeof BroadcastChannel !== 'undefined';
  const channel = canShare ? new BroadcastChannel(name) : undefined;
  const stop = new AbortController();
  let leads = false;
  let state: LiveState = 'off';
  let lastEventId: string | undefined;

  const hear = (message: LiveMessage) => {
    if (stop.signal.aborted) return;
    if (message.kind === 'state') state = message.state;
    if (message.kind === 'change' && message.at !== undefined) lastEventId = message.at;
    deliver(message);
  };
  const tell = (message: LiveMessage) => {
    hear(message);
    if (!stop.signal.aborted) channel?.postMessage(message);
  };
  const lead = async () => {
    leads = true;
    await listen({
      open,
      lastEventId,
      signal: stop.signal,
      random: Math.random,
      wait: pause,
      onFrame: (frame) => {
        const message = messageOf(frame);
        if (message !== undefined) tell(message);
      },
      onState: (next) => {
        if (next !== state) tell({ kind: 'state', state: next });
      },
      onGap: () => tell({ kind: 'reset' }),
    });
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<LiveMessage | Asked>) => {
    if (data.kind !== 'who') hear(data);
    else if (leads) channel.postMessage({ kind: 'state', state } satisfies LiveMessage);
  });
  if (canShare) {
    channel?.postMessage({ kind: 'who' } satisfies Asked);
    navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => undefined);
  } else void lead();

  return () => {
    stop.abort();
    channel?.close();
  };
}
