import { tooManyUploads } from './rules.js';

/** Runs work for a person unless too much is under way: then it refuses with `overloaded`. */
export type Room = <T>(ownerId: string, work: () => Promise<T>) => Promise<T>;

/** How many works there is room for. */
export type RoomLimits = {
  /** At once, as long as everybody has more than one. */
  readonly shared: number;
  /** At once for one person. */
  readonly ofOnePerson: number;
  /** At once when everybody has one: nobody who has none is refused for what others send. */
  readonly all: number;
};

/** Room for so many works. */
export function createRoom({ shared, ofOnePerson, all }: RoomLimits): Room {
  const underWay = new Map<string, number>();
  let count = 0;
  return async (ownerId, work) => {
    const own = underWay.get(ownerId) ?? 0;
    if (own >= ofOnePerson || count >= (own === 0 ? all : shared)) throw tooManyUploads();
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
