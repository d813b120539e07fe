import { leaseLimits } from '#leases';

/** Bounds of what a membership is. */
export const memberLimits = {
  /** Who has not renewed for that long is no member any more, in milliseconds of the store's clock: as long as a lease lasts. */
  ttlMs: leaseLimits.ttlMs,
} as const;

/** What a program reads: of each type of events, and of each read model, the newest version. */
export type Reads = {
  readonly kinds: Readonly<Record<string, number>>;
  readonly models: Readonly<Record<string, number>>;
};

/** A program among those that share a log, as it says of itself. */
export type Member = Pick<Reads, 'models'> & {
  /** What it is called among them: a later life of the same name takes the place of the one before. */
  readonly name: string;
  /** Its version; undefined where it was told none. */
  readonly program: string | undefined;
  /** Whether it may run the projections, and the reactors beside them. */
  readonly projects: boolean;
  /** Undefined where it takes events of any. */
  readonly kinds: Reads['kinds'] | undefined;
};

/** The membership of a program, while it is renewed. */
export type Joined = {
  /**
   * Keeps it for another `ttlMs`, also when it ran out meanwhile. False when it was removed, or a later life of the same name
   * took its place: then it is to join again.
   */
  readonly renew: () => Promise<boolean>;
  /** Ends it at once; does nothing to a later life of the same name. */
  readonly leave: () => Promise<void>;
};

/**
 * The programs that are there and what they read, so that nothing is put to use that one of them can't read. Every adapter passes
 * `describeMembership` in `membership/contract`. Time is the store's own: no two machines' clocks are compared.
 *
 * Who joins is seen by everyone who asks later. Errors are `LodeError`s: `unavailable` when the store can't be reached or did
 * not say what it did.
 */
export interface Membership {
  /** Makes a program a member for `ttlMs`. */
  join(member: Member): Promise<Joined>;

  /** Those that are members just now, by the store's clock, in the order of their names. */
  members(): Promise<readonly Member[]>;
}
