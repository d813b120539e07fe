import type { EventStore } from '#event-store';
import { adminsDecider, adminsStream, isOwner, type Admins } from '#ledger';

/** Events of the list of admins that are read at a time. */
const PAGE = 1_000;

/** Everybody who was an owner who may come in at any time between two moments, both included; milliseconds since the epoch. */
export async function ownersBetween(
  log: Pick<EventStore, 'readStream'>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadonlySet<string>> {
  const { codecs, evolve, initial } = adminsDecider;
  const owners = new Set<string>();
  let admins: Admins = initial;
  const keep = () => {
    for (const [userId, admin] of admins) if (isOwner(admin)) owners.add(userId);
  };
  for (let first = 0; ; first += PAGE) {
    const page = await log.readStream(adminsStream, { from: first, limit: PAGE });
    const until = page.filter(({ at }) => Date.parse(at) <= to);
    for (const event of until) {
      if (Date.parse(event.at) >= from) keep();
      admins = evolve(admins, codecs.decode(event));
    }
    if (until.length < PAGE) break;
  }
  keep();
  return owners;
}
