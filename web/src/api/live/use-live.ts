import { useEffect } from 'react';
import type { Change } from '#contracts';
import { api } from '../api';
import { pathOf, routes } from '../contract';
import { useSessionClient } from '../session-context';
import { useAppDispatch, useAppSelector } from '../store';
import { liveChanged } from '../sync';
import { changed, everything } from '../tags';
import { shareLive } from './share';

/** Changes that come close together are one refetch. */
const GATHER_MS = 150;

/** Keeps what is on screen current while somebody is signed in. Used once, by the shell. */
export function useLive(): void {
  const session = useSessionClient();
  const dispatch = useAppDispatch();
  const userId = useAppSelector((state) =>
    state.session.phase === 'signed-in' ? state.session.user.userId : null,
  );

  useEffect(() => {
    if (userId === null) return;
    let gathered = new Map<string, Change>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      const tags = [...gathered.values()].flatMap(({ collection, id }) => changed(collection, id));
      gathered = new Map();
      timer = undefined;
      dispatch(api.util.invalidateTags(tags));
    };
    const stop = shareLive(
      userId,
      (lastEventId, signal) => {
        const headers = new Headers({ accept: 'text/event-stream' });
        if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
        return session.fetch(pathOf(routes.live), { headers, signal, cache: 'no-store' });
      },
      (message) => {
        if (message.kind === 'state') dispatch(liveChanged(message.state));
        else if (message.kind === 'reset') dispatch(api.util.invalidateTags([...everything]));
        else {
          gathered.set(`${message.change.collection}/${message.change.id}`, message.change);
          timer ??= setTimeout(settle, GATHER_MS);
        }
      },
    );
    return () => {
      stop();
      clearTimeout(timer);
      dispatch(liveChanged('off'));
    };
  }, [session, dispatch, userId]);
}
