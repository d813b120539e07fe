/** 16 MiB. With ten million ids in it about one in five hundred new ones is mistaken for one of them. */
const BITS = 2 ** 27;

/** Ids that were seen, in a memory of fixed size. */
export type Seen = {
  /** Adds a UUID; false when it is new for certain, true when it may have been there. */
  readonly add: (id: string) => boolean;
};

/** A Bloom filter whose four hashes are parts of the id: a UUID of version 5 is one already. */
export function createSeen(bits: number = BITS): Seen {
  const words = new Uint32Array(bits / 32);
  return {
    add: (id) => {
      let known = true;
      for (const hash of hashesOf(id)) {
        const bit = hash % bits;
        const mask = 1 << (bit & 31);
        const word = words[bit >>> 5] ?? 0;
        if ((word & mask) !== 0) continue;
        known = false;
        words[bit >>> 5] = word | mask;
      }
      return known;
    },
  };
}

/** Four parts of a UUID that hold neither its version nor its variant. */
function hashesOf(id: string): readonly number[] {
  return [
    Number.parseInt(id.slice(0, 8), 16),
    Number.parseInt(id.slice(9, 13) + id.slice(15, 18), 16),
    Number.parseInt(id.slice(20, 23) + id.slice(24, 28), 16),
    Number.parseInt(id.slice(28, 36), 16),
  ];
}
