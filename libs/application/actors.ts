import type { Actor } from '#kernel';

/** Somebody who is not signed in. */
export const VISITOR = { kind: 'person', id: 'visitor', role: 'visitor' } as const satisfies Actor;

/** Whoever has the machine: the command line, and the start of the program. */
export const OPERATOR = { kind: 'operator', id: 'operator', role: 'system' } as const satisfies Actor;
