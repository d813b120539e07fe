import type { EvidenceUses } from '#contracts';
import { LodeError } from '#kernel';
import type { RequestDocument } from '#projections';
import type { Ports } from '../ports.js';
import { nameOf } from '../people/names.js';
import { peopleOf } from './view.js';
import { Query } from '../message.js';

/** The most other requests that are told: who sees so many looks no further. */
const USES_MAX = 20;

/**
 * The other fund requests, of anybody, whose evidence is the same file, by what is stored, newest first. Refuses with
 * `request_not_found`.
 */
export class FindEvidenceUses extends Query<EvidenceUses> {
  constructor(readonly named: { readonly userId: string; readonly requestId: string }) {
    super();
  }
}

export class FindEvidenceUsesHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute({ named: { userId, requestId } }: FindEvidenceUses): Promise<EvidenceUses> {
    const { readStore } = this.parts;
    const request = await readStore.get<RequestDocument>('requests', requestId);
    if (request?.userId !== userId || request.evidence === undefined)
      throw new LodeError('request_not_found', 'There is no such request.');
    const found = await readStore.list<RequestDocument>('requests', {
      index: 'evidence',
      equals: { sha256: request.evidence.sha256 },
      direction: 'descending',
      // Itself, and one more than is told.
      limit: USES_MAX + 2,
    });
    const others = found.filter(({ id }) => id !== requestId);
    const shown = others.slice(0, USES_MAX);
    const people = await peopleOf(readStore, shown);
    return {
      items: shown.map(({ id, userId: owner, amount, currency, status, createdAt }) => ({
        requestId: id,
        userId: owner,
        customer: nameOf(people.get(owner)),
        amount,
        currency,
        status,
        createdAt,
      })),
      hasMore: others.length > USES_MAX,
    };
  }
}
