/** The facts of the stream `platform`. The names are storage. */
export type PlatformEvent =
  | { readonly type: 'PlatformFounded'; readonly data: { readonly platformId: string } }
  /** An operator said that the machine's clock is right, whatever was known before. Instants are ISO 8601. */
  | {
      readonly type: 'ClockAccepted';
      readonly data: {
        /** What the clock said. */
        readonly instant: string;
        /** The latest instant that was known until then. */
        readonly was: string;
        readonly reason?: string;
      };
    }
  /** An operator said that log and identities are gone on with, although they are not as they had been. */
  | { readonly type: 'StoresAccepted'; readonly data: AcceptedStores };

/** How log and identities are, and how they had been. */
export type AcceptedStores = {
  /** Where the log ended, and how often identities had been changed; left out where that is not known. */
  readonly was?: { readonly position: string; readonly changes?: number };
  readonly found: { readonly position: string; readonly changes: number };
  /** What did not fit, a sentence each. */
  readonly wrong: readonly string[];
  readonly reason?: string;
};
