import { useEffect } from 'react';
import type { Change } from '#contracts';
import { api, EVERYTHING } from '../api';
import { REQUEST_LISTS } from '../fund-requests';
import { useSessionClient } from '../session-context';
import { useAppDispatch, useAppSelector } from '../store';
import { liveChanged } from '../sync';
import { shareLive } from './share';

/** Changes that come close together are one refetch. */
const GATHER_MS = 150;

function tagsOf({ collection, id }: Change): readonly { type: Change['collection']; id?: string }[] {
  if (collection === 'totals') return [{ type: collection }];
  return collection === 'requests' ? [{ type: collection, id }, REQUEST_LISTS] : [{ type: collection, id }];
}

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
      const tags = [...gathered.values()].flatMap(tagsOf);
      gathered = new Map();
      timer = undefined;
      dispatch(api.util.invalidateTags(tags));
    };
    const stop = shareLive(
      userId,
      (lastEventId, signal) => {
        const headers = new Headers({ accept: 'text/event-stream' });
        if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
        return session.fetch('/api/live', { headers, signal, cache: 'no-store' });
      },
      (message) => {
        if (message.kind === 'state') dispatch(liveChanged(message.state));
        else if (message.kind === 'reset') dispatch(api.util.invalidateTags([...EVERYTHING]));
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
