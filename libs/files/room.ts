import { tooManyUploads } from './rules.js';

/** Runs work for a person unless too much is under way: then it refuses with `overloaded`. */
export type Room = <T>(ownerId: string, work: () => Promise<T>) => Promise<T>;

/** Room for `all` works at once, `ofOnePerson` of them for one person. */
export function createRoom({
  all,
  ofOnePerson,
}: {
  readonly all: number;
  readonly ofOnePerson: number;
}): Room {
  const underWay = new Map<string, number>();
  let count = 0;
  return async (ownerId, work) => {
    const own = underWay.get(ownerId) ?? 0;
    if (count >= all || own >= ofOnePerson) throw tooManyUploads();
    underWay.set(ownerId, own + 1);
    count += 1;
    try {
      return await work();
    } finally {
      count -= 1;
      const left = (underWay.get(ownerId) ?? 1) - 1;
      if (left === 0) underWay.delete(ownerId);
      else underWay.set(ownerId, left);
    }
  };
}
