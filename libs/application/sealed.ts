import { FORGOTTEN, type PersonKeys } from '#identity';

/** The texts of what was sealed for a person; each reads `forgotten` once the person was erased. */
export async function opened<Field extends string>(
  keys: PersonKeys,
  userId: string,
  sealed: string,
  fields: readonly Field[],
): Promise<Record<Field, string>> {
  const data = await keys.decryptFor(userId, sealed);
  const textOf = (field: Field) => {
    const value = data === FORGOTTEN ? FORGOTTEN : data[field];
    return typeof value === 'string' ? value : '';
  };
  return Object.fromEntries(fields.map((field) => [field, textOf(field)])) as Record<Field, string>;
}
