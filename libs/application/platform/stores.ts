import { canonicalJson, sha256, uuidV4, type Random } from '#kernel';
import { platformStream, type AcceptedStores } from '#ledger';
import { OPERATOR } from '../actors.js';
import type { Aggregates } from '../aggregates.js';
import { foundPlatform } from './found.js';

/** Writes down that an operator has log and identities gone on with as they are, although they had been further. */
export async function acceptStores(
  aggregates: Pick<Aggregates, 'platform'>,
  accepted: AcceptedStores,
  random: Random,
): Promise<void> {
  await foundPlatform(aggregates, random);
  const commandId = uuidV4(random);
  await aggregates.platform.execute(
    platformStream,
    { type: 'AcceptStores', accepted },
    {
      actor: OPERATOR,
      commandId,
      requestHash: sha256(canonicalJson({ position: accepted.found.position, wrong: accepted.wrong })),
      correlationId: commandId,
      causationId: commandId,
      ...(accepted.reason === undefined ? {} : { reason: accepted.reason }),
    },
  );
}
