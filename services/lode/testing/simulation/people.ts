/** Whose accounts there are. */
export const people = ['anna', 'boris', 'chen', 'dora'] as const;
