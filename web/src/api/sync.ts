import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { comparePositions, logStart, parsePosition } from '#contracts';
import { sessionEnded } from './session';

export type LiveState = 'off' | 'connecting' | 'live' | 'reconnecting';

type SyncState = {
  /**
   * The furthest place in the log that a command of this page was answered with, as the server wrote it: with the log that
   * it is of.
   */
  readonly position: string;
  /** Queries whose last answer did not reach that place yet. */
  readonly behind: readonly string[];
  readonly live: LiveState;
  /** Whether the last call had an answer of the service, if only a refusal. */
  readonly answered: boolean;
};

const initialState: SyncState = { position: logStart, behind: [], live: 'off', answered: true };

/** A position as the server writes it: where it is, and in which log. */
function partsOf(text: string) {
  const [place = '', log] = text.split('.');
  return { place: parsePosition(place), log };
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

export const { positionSeen, answerAged, liveChanged, callEnded } = syncSlice.actions;

/** Whether the service is away: its stream broke off, and calls have no answer either. */
export function isServiceAway({ sync }: { readonly sync: SyncState }): boolean {
  return !sync.answered && sync.live === 'reconnecting';
}
