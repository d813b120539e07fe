import { FORGOTTEN, type PersonKeys } from '#identity';

/** The texts of what was encrypted for a person; each reads `forgotten` once the person was erased. */
export async function decryptFields<Field extends string>(
  keys: PersonKeys,
  userId: string,
  encrypted: string,
  fields: readonly Field[],
): Promise<Record<Field, string>> {
  const data = await keys.decryptFor(userId, encrypted);
  const textOf = (field: Field) => {
    const value = data === FORGOTTEN ? FORGOTTEN : data[field];
    return typeof value === 'string' ? value : '';
  };
  return Object.fromEntries(fields.map((field) => [field, textOf(field)])) as Record<Field, string>;
}
