import type { Damage } from '#read-store';

/** Something that is not what was written. */
export type Found = {
  /** One sentence, for operators. */
  readonly what: string;
  /** The documents or the index of a read model that it is: they are made again from the log. */
  readonly damage?: Damage;
  /** The read model that is to be built anew. */
  readonly rebuild?: string;
};

/** What a bounded part of the look at everything came to. */
export type Look = {
  /** Rows, documents, files, tables. */
  readonly looked: number;
  readonly found: readonly Found[];
  /** Where it goes on, in terms of its own; undefined at its end. */
  readonly next: string | undefined;
};

/** Looks at some of one part of what is kept, from a place on; from the beginning without one. */
export type Looking = (place: string | undefined) => Promise<Look>;
