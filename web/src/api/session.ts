import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Session } from '#contracts';

export type SessionUser = Session['user'];

/**
 * - `restoring`: the page has just been loaded and the refresh cookie is being tried;
 * - `away`: the same, and the service could not answer yet: it is asked again by itself;
 * - `left`: the person signed out here, and is on the way to where that leads;
 * - `expired`: a person was signed in, and the work on screen waits for them behind the sign-in dialog.
 */
export type SessionState =
  | {
      readonly phase: 'restoring' | 'away' | 'signed-out' | 'left';
      readonly user: null;
      readonly accessToken: null;
    }
  | { readonly phase: 'signed-in'; readonly user: SessionUser; readonly accessToken: string }
  | { readonly phase: 'expired'; readonly user: SessionUser; readonly accessToken: null };

const nobody = (phase: 'restoring' | 'away' | 'signed-out' | 'left'): SessionState => ({
  phase,
  user: null,
  accessToken: null,
});

/** The access token lives here, in memory, and nowhere else. */
export const sessionSlice = createSlice({
  name: 'session',
  initialState: () => nobody('restoring'),
  reducers: {
    sessionStarted: (_state, { payload }: PayloadAction<Session>): SessionState => ({
      phase: 'signed-in',
      user: payload.user,
      accessToken: payload.accessToken,
    }),
    sessionExpired: (state): SessionState =>
      state.user === null ? nobody('signed-out') : { phase: 'expired', user: state.user, accessToken: null },
    serviceAway: (): SessionState => nobody('away'),
    sessionEnded: (_state, { payload }: PayloadAction<'here' | undefined>): SessionState =>
      nobody(payload === 'here' ? 'left' : 'signed-out'),
  },
});

export const { serviceAway, sessionStarted, sessionExpired, sessionEnded } = sessionSlice.actions;
