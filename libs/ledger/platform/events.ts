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
    };
