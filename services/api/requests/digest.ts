import { canonicalJson, type Json } from '#kernel';
import type { PersonKeys } from '#identity';

/**
 * What stands for a body with personal data in a request's hash: the same for the same body, and telling nothing of it
 * once the person was erased. Refuses with `account_not_found`.
 */
export async function digestOf(keys: PersonKeys, userId: string, body: Json): Promise<{ digest: string }> {
  return { digest: await keys.digestFor(userId, canonicalJson(body)) };
}
