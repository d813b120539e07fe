import { LodeError } from '#kernel';
import { appendEach, type Append, type EventStore } from '#event-store';

/** A store that writes down what was appended to it, refused appends too. */
export function watched(inner: EventStore): {
  readonly store: EventStore;
  readonly appends: readonly Append[];
} {
  const appends: Append[] = [];
  const append: EventStore['append'] = (request) => {
    appends.push(request);
    return inner.append(request);
  };
  return { store: { ...inner, append, appendMany: appendEach(append) }, appends };
}

/** A store whose appends wait while it is shut. */
export function gated(inner: EventStore): { readonly store: EventStore; shut(): void; open(): void } {
  let opened: Promise<void> = Promise.resolve();
  let open = () => {};
  const append: EventStore['append'] = async (request) => {
    await opened;
    return inner.append(request);
  };
  return {
    store: { ...inner, append, appendMany: appendEach(append) },
    shut() {
      opened = new Promise((resolve) => (open = resolve));
    },
    open: () => open(),
  };
}

/** A store in which an event of one stream can't be read, as an engine says it of a damaged disk. */
export function damaged(inner: EventStore, stream: string): EventStore {
  const unreadable = () => {
    const place = { position: '1', stream, revision: 0, type: 'Any' };
    return Promise.reject(new LodeError('storage_failed', "The event can't be read.", place));
  };
  return {
    ...inner,
    readStream: (asked, read) => (asked === stream ? unreadable() : inner.readStream(asked, read)),
    readStreams: (asked, limit) => (asked.includes(stream) ? unreadable() : inner.readStreams(asked, limit)),
  };
}

/**
 * How an append fails: refused with a code and not written; `lost-answer`: written, and nobody is told; `late`: written
 * just before the next append, and nobody is told.
 */
export type Fault = 'conflict' | 'unavailable' | 'storage_full' | 'unknown_outcome' | 'lost-answer' | 'late';

/**
 * A store that fails as `plan` says for the appends from then on, undefined being none; reads fail when told so, and all
 * of it while it is away.
 */
export function withFaults(inner: EventStore): {
  readonly store: EventStore;
  plan(...faults: readonly (Fault | undefined)[]): void;
  failRead(): void;
  /** From now on nothing of it answers; or all of it does again. */
  away(isAway: boolean): void;
  /** From now on it is as a log whose disk failed: it is read, and takes nothing more. */
  fail(): void;
} {
  let faults: (Fault | undefined)[] = [];
  let late: Append | undefined;
  let readFails = false;
  let isAway = false;
  let hasFailed = false;
  const reached = async <T>(answer: () => Promise<T>): Promise<T> => {
    if (isAway) throw new LodeError('unavailable', 'injected: away');
    return answer();
  };
  const written = async <T>(answer: () => Promise<T>): Promise<T> => {
    if (hasFailed) throw new LodeError('storage_failed', 'injected: the disk failed');
    return reached(answer);
  };
  const append: EventStore['append'] = async (request) => {
    // By now the log may have moved on, and then the late one is refused and nobody is told that either.
    if (late !== undefined) await inner.append(late).catch(() => undefined);
    late = undefined;
    const fault = faults.shift();
    if (fault === undefined) return inner.append(request);
    if (fault === 'lost-answer') await inner.append(request);
    if (fault === 'late') late = request;
    throw new LodeError(
      fault === 'lost-answer' || fault === 'late' ? 'unknown_outcome' : fault,
      `injected: ${fault}`,
    );
  };
  const readStream: EventStore['readStream'] = async (stream, read) => {
    if (readFails) {
      readFails = false;
      throw new LodeError('unavailable', 'injected: read');
    }
    return reached(() => inner.readStream(stream, read));
  };
  const appendIfThere: EventStore['append'] = (request) => written(() => append(request));
  return {
    store: {
      ...inner,
      append: appendIfThere,
      appendMany: appendEach(appendIfThere),
      readStream,
      readStreams: (streams, limit) => reached(() => inner.readStreams(streams, limit)),
      head: () => written(() => inner.head()),
    },
    plan(...next) {
      faults = [...next];
    },
    failRead() {
      readFails = true;
    },
    away(is) {
      isAway = is;
    },
    fail() {
      hasFailed = true;
    },
  };
}
