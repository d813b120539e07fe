export type { Ports as Engines } from '#application';

/** Where Nest keeps the engines. */
export const ENGINES = Symbol('engines');
