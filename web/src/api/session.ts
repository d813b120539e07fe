import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Session } from '#contracts';

export type SessionUser = Session['user'];

/**
 * - `restoring`: the page has just been loaded and the refresh cookie is being tried;
 * - `expired`: a person was signed in, and the work on screen waits for them behind the sign-in dialog.
 */
export type SessionState =
  | { readonly phase: 'restoring' | 'signed-out'; readonly user: null; readonly accessToken: null }
  | { readonly phase: 'signed-in'; readonly user: SessionUser; readonly accessToken: string }
  | { readonly phase: 'expired'; readonly user: SessionUser; readonly accessToken: null };

const signedOutState: SessionState = { phase: 'signed-out', user: null, accessToken: null };

const restoring = (): SessionState => ({ phase: 'restoring', user: null, accessToken: null });

/** The access token lives here, in memory, and nowhere else. */
export const sessionSlice = createSlice({
  name: 'session',
  initialState: restoring,
  reducers: {
    sessionStarted: (_state, { payload }: PayloadAction<Session>): SessionState => ({
      phase: 'signed-in',
      user: payload.user,
      accessToken: payload.accessToken,
    }),
    sessionExpired: (state): SessionState =>
      state.user === null ? signedOutState : { phase: 'expired', user: state.user, accessToken: null },
    sessionEnded: (): SessionState => signedOutState,
  },
});

export const { sessionStarted, sessionExpired, sessionEnded } = sessionSlice.actions;
