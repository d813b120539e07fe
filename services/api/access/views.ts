import type { OwnSecondFactor, PendingEmail, SessionView } from '#application';

const instantOf = (ms: number) => new Date(ms).toISOString();

/** A session as it is shown to whom it is, or to an admin, who asks in the session `current`. */
export function sessionView(session: SessionView, current: string) {
  const { sessionId, createdAt, lastUsedAt, endsAt, address, agent } = session;
  return {
    sessionId,
    createdAt: instantOf(createdAt),
    lastUsedAt: instantOf(lastUsedAt),
    endsAt: instantOf(endsAt),
    address,
    agent,
    current: sessionId === current,
  };
}

/** What a person has as a second factor. */
export function factorView({ passkeys, ...state }: OwnSecondFactor) {
  return {
    ...state,
    passkeys: passkeys.map(({ passkeyId, name, addedAt, usedAt }) => ({
      passkeyId,
      name,
      addedAt: instantOf(addedAt),
      ...(usedAt === undefined ? {} : { usedAt: instantOf(usedAt) }),
    })),
  };
}

/** Another e-mail address that waits for its link. */
export function pendingView({ email, expiresAt }: PendingEmail) {
  return { email, expiresAt: instantOf(expiresAt) };
}
