import { canonicalJson, type Json } from '#kernel';
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

/**
 * What stands for a body with personal data in a request's hash: the same for the same body, and telling nothing of it
 * once the person was erased. Refuses with `account_not_found`.
 */
export async function digestOf(keys: PersonKeys, userId: string, body: Json): Promise<{ digest: string }> {
  return { digest: await keys.digestFor(userId, canonicalJson(body)) };
}
