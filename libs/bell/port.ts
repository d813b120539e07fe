/**
 * What may have changed: documents of read models, orders that wait, or what came of some.
 */
export const rings = ['documents', 'orders', 'outcomes'] as const;
export type Ring = (typeof rings)[number];

/**
 * Rings between the programs of a deployment, so that whoever waits for a change looks at once and not only at its next
 * look. It says nothing but that it may be worth to look: a ring may be lost, late, repeated, in another order or a stranger's. So
 * whoever listens also looks without one. Every adapter passes `describeBell` in `bell/contract`. Nothing of it throws.
 */
export type Bell = {
  /** Rings in every program, this one too, as soon as can be. Many rings at about the same time may be one. */
  readonly ring: (about: Ring) => void;
  /**
   * Calls the listener at some rings, at most every `bellLimits.everyMs`, and when some may have been missed. Gives what ends
   * that.
   */
  readonly on: (about: Ring, listener: () => void) => () => void;
  /** Whether rings get through, as far as is known here. */
  readonly isConnected: () => boolean;
  readonly close: () => Promise<void>;
};

export const bellLimits = {
  /** Milliseconds between two rings of a kind, and between two calls of a listener: those in between are one, at its end. */
  everyMs: 10,
} as const;
