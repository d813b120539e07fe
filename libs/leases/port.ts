/** Bounds of what a lease is. */
export const leaseLimits = {
  /**
   * A holder that has not renewed for that long has lost it, in milliseconds of the store's clock. With the look of whoever
   * stands by, a third of it later at most, work that nobody does any more is begun again within 10 seconds.
   */
  ttlMs: 6_600,
} as const;

/** The right to be the one that runs something. */
export type Lease = {
  readonly name: string;
  /**
   * How often the name has been acquired. Whatever the holder writes carries it, and the store that is protected refuses
   * an epoch older than the newest: a holder that only believes it still has the lease changes nothing.
   */
  readonly epoch: number;
  /** Keeps it for another `ttlMs`. False when somebody else has it by now, or it was released: then it is lost for good. */
  readonly renew: () => Promise<boolean>;
  /** Lets the next one have it at once. Does nothing when it was lost. */
  readonly release: () => Promise<void>;
};

/**
 * Leases for what may have one active runner: a projector, the reactors. Every adapter passes `describeLeases` in
 * `leases/contract`. Time is the store's own: no two machines' clocks are compared.
 *
 * Errors are `LodeError`s: `unavailable` when the store can't be reached or did not say what it did.
 */
export interface Leases {
  /**
   * The lease, with an epoch above all before it, when nobody has it, it ran out, or this holder had it before: a holder
   * that starts again does not wait for its earlier life. Undefined while somebody else has it.
   */
  acquire(name: string): Promise<Lease | undefined>;

  /** Whether anybody has the lease just now, by the store's clock. */
  isHeld(name: string): Promise<boolean>;
}

/** Leases with the data that they protect beside them. Such an adapter passes `describeCheckedLeases` too. */
export interface CheckedLeases extends Leases {
  /** Refuses with `conflict` an epoch that a newer one has replaced: asked in the transaction of each protected write. */
  check(lease: Pick<Lease, 'name' | 'epoch'>): void;
}
