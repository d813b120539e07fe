import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { comparePositions, logStart, parsePosition, type Position } from '#contracts';
import { sessionEnded } from './session';

export type LiveState = 'off' | 'connecting' | 'live' | 'reconnecting';

type SyncState = {
  /** The furthest place in the log that a command of this page was answered with. */
  readonly position: Position;
  /** Queries whose last answer did not reach that place yet. */
  readonly behind: readonly string[];
  readonly live: LiveState;
};

const initialState: SyncState = { position: logStart, behind: [], live: 'off' };

/** How this page stands against the log. */
export const syncSlice = createSlice({
  name: 'sync',
  initialState,
  reducers: {
    positionSeen(state, { payload }: PayloadAction<string>) {
      const seen = parsePosition(payload);
      if (seen !== undefined && comparePositions(seen, state.position) > 0) state.position = seen;
    },
    answerAged(state, { payload }: PayloadAction<{ path: string; stale: boolean }>) {
      const others = state.behind.filter((path) => path !== payload.path);
      state.behind = payload.stale ? [...others, payload.path] : others;
    },
    liveChanged(state, { payload }: PayloadAction<LiveState>) {
      state.live = payload;
    },
  },
  extraReducers: (builder) => builder.addCase(sessionEnded, () => initialState),
});

export const { positionSeen, answerAged, liveChanged } = syncSlice.actions;
