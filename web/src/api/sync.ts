import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { comparePositions, logStart, parsePosition } from '#contracts';
import { sessionEnded } from './session';
import { isWhole, row, type Tag, type TagType } from './tags';

export type LiveState = 'off' | 'connecting' | 'live' | 'reconnecting';

/** What screens mark until it is settled: requests of every kind, and as a kind the one account that a customer's page knows. */
function isMarked({ type, id }: Tag): boolean {
  const isRequest = (type === 'requests' || type === 'transfers') && !isWhole({ type, id });
  return isRequest || id === 'accounts';
}

type Settling = { readonly type: TagType; readonly written: string };

type SyncState = {
  /**
   * The furthest place in the log that a command of this page was answered with, as the server wrote it: with the log that
   * it is of.
   */
  readonly position: string;
  /** Queries whose last answer did not reach that place yet. */
  readonly behind: readonly string[];
  /**
   * Rows that a command of this page changed, by id, and where in the log, until an answer that reaches that place has come;
   * a kind by its name where the page knows one row of it.
   */
  readonly settling: Record<string, Settling>;
  readonly live: LiveState;
  /** Whether the last call had an answer of the service, if only a refusal. */
  readonly answered: boolean;
};

const initialState: SyncState = {
  position: logStart,
  behind: [],
  settling: {},
  live: 'off',
  answered: true,
};

/** How far an answer reaches: `stale` says that it is older than the place in the log that was asked for. */
export type AnswerMeta = { readonly asked: string; readonly stale: boolean };

/** A position as the server writes it: where it is, and in which log. */
function partsOf(text: string) {
  const [place = '', log] = text.split('.');
  return { place: parsePosition(place), log };
}

/** Whether what is known at a place has what was written at another one. A new log has nothing to wait for. */
function reaches(known: string, written: string): boolean {
  const [to, from] = [partsOf(known), partsOf(written)];
  // Before its first command a page knows of no log.
  if (to.log === undefined) return from.log === undefined;
  return to.log !== from.log || comparePositions(to.place ?? logStart, from.place ?? logStart) >= 0;
}

/** How this page stands against the log. */
export const syncSlice = createSlice({
  name: 'sync',
  initialState,
  reducers: {
    positionSeen(state, { payload }: PayloadAction<string>) {
      const [seen, known] = [partsOf(payload), partsOf(state.position)];
      if (seen.place === undefined) return;
      const isNews = seen.log !== known.log || comparePositions(seen.place, known.place ?? logStart) > 0;
      if (isNews) state.position = payload;
    },
    rowsChanged(state, { payload }: PayloadAction<readonly (Tag | TagType)[]>) {
      for (const tag of payload) {
        const { type, id } = typeof tag === 'object' ? tag : row(tag, tag);
        if (isMarked({ type, id })) state.settling[id] = { type, written: state.position };
      }
    },
    /** The first answer of a kind that reaches far enough counts: all of a kind are of the same projections. */
    rowsSeen(state, { payload: { tags, asked } }: PayloadAction<{ tags: readonly Tag[]; asked: string }>) {
      const ids = new Set<string>(tags.flatMap(({ type, id }) => [type, id]));
      const kinds = new Set(tags.filter(isWhole).map(({ type }) => type));
      const isSeen = ([id, { type, written }]: [string, Settling]) =>
        (ids.has(id) || kinds.has(type)) && reaches(asked, written);
      state.settling = Object.fromEntries(Object.entries(state.settling).filter((one) => !isSeen(one)));
    },
    answerAged(state, { payload }: PayloadAction<{ path: string; stale: boolean }>) {
      const others = state.behind.filter((path) => path !== payload.path);
      state.behind = payload.stale ? [...others, payload.path] : others;
    },
    liveChanged(state, { payload }: PayloadAction<LiveState>) {
      state.live = payload;
    },
    callEnded(state, { payload }: PayloadAction<{ answered: boolean }>) {
      state.answered = payload.answered;
    },
  },
  extraReducers: (builder) => builder.addCase(sessionEnded, () => initialState),
});

export const { positionSeen, rowsChanged, rowsSeen, answerAged, liveChanged, callEnded } = syncSlice.actions;

/** The part of the page's state that this is. */
export type SyncView = { readonly sync: Pick<SyncState, 'settling'> };

/** Whether any row is not yet shown as a command of this page left it. */
export function isAnySettling({ sync }: SyncView): boolean {
  return Object.keys(sync.settling).length > 0;
}

/** Whether a row, or the one row of a kind, is not yet shown as a command of this page left it. */
export function isSettling({ sync }: SyncView, id: string): boolean {
  return id in sync.settling;
}

/** Whether the service is away: its stream broke off, and calls have no answer either. */
export function isServiceAway({ sync }: { readonly sync: SyncState }): boolean {
  return !sync.answered && sync.live === 'reconnecting';
}
