const folder = process.env['NODE_COMPILE_CACHE'];

/** Of a program's environment: where modules are that others compiled before, when a run of tests has such a folder. */
export const COMPILED: { readonly NODE_COMPILE_CACHE?: string } =
  folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
