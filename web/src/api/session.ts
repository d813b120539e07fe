import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Session } from '#contracts';

export type SessionUser = Session['user'];

type NobodyPhase = 'restoring' | 'away' | 'crowded' | 'signed-out' | 'left';

/**
 * - `restoring`: the page has just been loaded and the refresh cookie is being tried;
 * - `away`: the same, and the service could not answer yet: it is asked again by itself;
 * - `crowded`: as `away`, and it has answered that too many requests came;
 * - `left`: the person signed out here, and is on the way to where that leads;
 * - `closing`: the person closes the account, whose sessions end before that is answered;
 * - `expired`: a person was signed in, and the work on screen waits for them behind the sign-in dialog.
 */
export type SessionState =
  | {
      readonly phase: NobodyPhase;
      readonly user: null;
      readonly accessToken: null;
    }
  | (OfPerson & { readonly phase: 'signed-in' | 'closing'; readonly accessToken: string })
  | (OfPerson & { readonly phase: 'expired'; readonly accessToken: null });

type OfPerson = {
  readonly user: SessionUser;
  /** An admin chose the password: nothing else is done before there is another one. */
  readonly mustChoosePassword: boolean;
};

const nobody = (phase: NobodyPhase): SessionState => ({
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
      mustChoosePassword: payload.mustChoosePassword === true,
    }),
    sessionExpired: (state): SessionState => {
      // Their own sign-out was faster than this refusal, and has chosen where they go.
      if (state.user === null) return state;
      // The answer says whether the account is closed.
      if (state.phase === 'closing') return state;
      return { ...state, phase: 'expired', accessToken: null };
    },
    accountClosing: (state): SessionState =>
      state.phase === 'signed-in' ? { ...state, phase: 'closing' } : state,
    accountStays: (state): SessionState =>
      state.phase === 'closing' ? { ...state, phase: 'signed-in' } : state,
    passwordRequired: (state): SessionState =>
      state.user === null ? state : { ...state, mustChoosePassword: true },
    passwordChosen: (state): SessionState =>
      state.user === null ? state : { ...state, mustChoosePassword: false },
    serviceAway: (_state, { payload }: PayloadAction<'away' | 'crowded'>): SessionState => nobody(payload),
    sessionEnded: (_state, { payload }: PayloadAction<'here' | undefined>): SessionState =>
      nobody(payload === 'here' ? 'left' : 'signed-out'),
  },
});

export const {
  accountClosing,
  accountStays,
  passwordChosen,
  passwordRequired,
  serviceAway,
  sessionStarted,
  sessionExpired,
  sessionEnded,
} = sessionSlice.actions;
