import type { Client, Identity, Session } from '#identity';
import type { Actor } from '#kernel';
import { VISITOR } from '../actors.js';

/** Who does something about people's access, in which session, and from where. */
export type AccessContext = {
  readonly actor: Actor;
  readonly session?: string;
  /** The address and program that the request came from. */
  readonly client?: Client;
  /** Why an admin did it. */
  readonly reason?: string;
};

/** Whoever is signed in, from here. The actor's id is the person's. */
export type CallerContext = {
  readonly actor: Actor & { readonly role: Session['role'] };
  readonly session: string;
  readonly client: Client;
};

/** Somebody who is not signed in, from here. */
export type VisitorContext = { readonly actor: typeof VISITOR; readonly client: Client };

/** What is done to a person's access by the program itself. */
export const SYSTEM_CONTEXT: AccessContext = { actor: { kind: 'system', id: 'access', role: 'system' } };

/** Of a session, what says whose it is. */
type Signed = Pick<Session, 'userId' | 'role' | 'sessionId'>;

/**
 * The context of whoever is signed in, without the client: an event in somebody else's stream would encrypt the client
 * with that person's key.
 */
export function sessionContext({ userId, role, sessionId }: Signed): Omit<CallerContext, 'client'> {
  return { actor: { kind: 'person', id: userId, role }, session: sessionId };
}

/** The context of whoever is signed in. */
export function callerContext(session: Signed, client: Client): CallerContext {
  return { ...sessionContext(session), client };
}

/** The context of somebody who is not signed in. */
export function visitorContext(client: Client): VisitorContext {
  return { actor: VISITOR, client };
}

/**
 * Who shows an access token: at once when this process knows it. Every request asks it, so that it is no query over the
 * bus. Refuses (by throwing, or by the promise) with `token_missing`, `token_invalid`, `token_expired`.
 */
export type Authenticate = Identity['sessions']['authenticate'];
