/** What the server answered, or a document that it has. */
export type Answer = Readonly<Record<string, unknown>>;

export function membersOf(value: unknown): Answer {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function listOf(value: unknown): readonly Answer[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}
