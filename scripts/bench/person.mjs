import { join } from 'node:path';

/** What the ledger decides without a store: accounts that carry out commands and give the events that seal them. */
export async function createPeople(root) {
  const dist = (name) => import(join(root, 'dist', 'libs', name, 'index.js'));
  const { accountDecider, accountStream } = await dist('ledger');
  const { chainOf, chainStart, commandIdOf, eventId } = await dist('kernel');

  return {
    /** A person of whom nothing is known yet, the nth. */
    newPerson: (number) => {
      const userId = `user-${String(number).padStart(8, '0')}`;
      const stream = accountStream(userId);
      return { number, userId, stream, state: accountDecider.initial, revision: -1, chain: chainStart };
    },
    /** Carries a command out at `at` (ISO); gives the events that it adds to the person's stream. */
    carryOut: (person, command, actor, at) => {
      const { stream } = person;
      const commandId = commandIdOf(actor.id, stream, `key-${person.revision}`);
      const meta = {
        actor,
        commandId,
        requestHash: 'ab'.repeat(32),
        correlationId: commandId,
        causationId: commandId,
      };
      return accountDecider.decide(command, person.state, at).map((event, index) => {
        person.state = accountDecider.evolve(person.state, event);
        person.revision++;
        const { revision } = person;
        const stored = accountDecider.codecs.encode(event);
        const unchained = { ...stored, id: eventId(commandId, index), stream, revision, at, meta };
        person.chain = chainOf(person.chain, unchained);
        return { ...unchained, meta: { ...meta, chain: person.chain } };
      });
    },
  };
}
