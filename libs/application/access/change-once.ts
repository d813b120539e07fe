import type { Identity } from '#identity';
import type { Json } from '#kernel';
import type { CallerContext } from './context.js';

/** What the caller changed; `replayed` when this request had done so before. */
export type Changed = { readonly replayed: boolean };

/** Changes something of the caller's as a request asks that may have a key, and then is carried out once. */
export async function changeOnce(
  { requests }: Pick<Identity, 'requests'>,
  { actor }: Pick<CallerContext, 'actor'>,
  key: string | undefined,
  request: {
    readonly name: string;
    readonly content: Json;
    readonly secret: { readonly text: string; readonly share: 'signIn' | 'pin' };
  },
  change: (isAgain: boolean) => Promise<void>,
): Promise<Changed> {
  if (key === undefined) {
    await change(false);
    return { replayed: false };
  }
  const named = { ...request, name: [request.name, actor.id, key] };
  const { replayed } = await requests.once(named, async ({ isAgain }) => {
    await change(isAgain);
    return { answer: {}, about: actor.id };
  });
  return { replayed };
}
