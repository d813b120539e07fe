/** The facts of the stream `platform`. The names are storage. */
export type PlatformEvent = {
  readonly type: 'PlatformFounded';
  readonly data: { readonly platformId: string };
};
