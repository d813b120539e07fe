import { createContext, useContext } from 'react';
import type { SessionClient } from './session-client';
import type { SessionUser } from './session';
import { useAppSelector } from './store';

const SessionContext = createContext<SessionClient | undefined>(undefined);

/** Makes the store's session client known to the screens that fetch what is no JSON: files and the live stream. */
export const SessionProvider = SessionContext.Provider;

export function useSessionClient(): SessionClient {
  const client = useContext(SessionContext);
  if (client === undefined) throw new Error('There is no SessionProvider above this component.');
  return client;
}

/** Who is signed in. Only for screens behind the guard, where somebody is. */
export function useUser(): SessionUser {
  const user = useAppSelector((state) => state.session.user);
  if (user === null) throw new Error('Nobody is signed in here.');
  return user;
}
