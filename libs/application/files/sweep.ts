import {
  purposeRules,
  sweepUnreferenced,
  type FileMetadata,
  type FilePurpose,
  type Swept,
  type SweptUnreferenced,
} from '#files';
import { LodeError, type Actor } from '#kernel';
import { settingsStream } from '#ledger';
import type { AccountDocument, ProductDocument, RequestDocument } from '#projections';
import { idIndex, limits, type Document, type ListQuery, type ReadStoreReader } from '#read-store';
import type { Aggregates } from '../aggregates.js';
import { sentBy } from '../command.js';
import type { Ports } from '../ports.js';

/** How long the read models have to come up with the log before a run is put off, in milliseconds. */
const CURRENT_MS = 30_000;

/** The read models that say what is named. */
const MODELS = ['accounts', 'requests', 'products'];

/** What became of files that nothing names; `finished` counts what programs that ended had left half done. */
export type SweptFiles = SweptUnreferenced & Pick<Swept, 'finished'>;

/**
 * Finishes what programs that ended left in the store of files. Then deletes files that nothing names, looking at a bounded
 * number of them from `after` on. Refuses with `unavailable` while the read models do not know everything that the log names.
 */
export class SweepFiles extends sentBy('system')<SweptFiles> {
  constructor(
    override readonly context: { readonly actor: Actor },
    readonly after: string | undefined,
  ) {
    super();
  }
}

/** What the sweep goes by. */
export type SweepParts = Pick<Ports, 'files' | 'clock'> & {
  readonly eventStore: Pick<Ports['eventStore'], 'head'>;
  readonly readStore: Pick<ReadStoreReader, 'list' | 'getMany'>;
  readonly projections: Pick<Ports['projections'], 'waitFor' | 'status'>;
  readonly aggregates: Pick<Aggregates, 'settings'>;
};

export class SweepFilesHandler {
  constructor(private readonly parts: SweepParts) {}

  async execute({ after }: SweepFiles): Promise<SweptFiles> {
    const { files: store, clock } = this.parts;
    const left = await store.sweep();
    await checkCurrent(this.parts);
    const swept = await sweepUnreferenced({
      store,
      clock,
      after,
      referenced: (files) => referenced(this.parts, files),
    });
    return { ...swept, finished: left.finished, failed: left.failed + swept.failed };
  }
}

/** Refuses with `unavailable` while the read models do not know everything that the log names. */
async function checkCurrent({ eventStore, projections }: SweepParts): Promise<void> {
  const isCurrent = await projections.waitFor(await eventStore.head(), CURRENT_MS);
  const models = (await projections.status()).filter(({ name }) => MODELS.includes(name));
  const isWhole =
    models.length === MODELS.length && models.every(({ parked, discarded }) => parked + discarded === 0);
  if (!isCurrent || !isWhole)
    throw new LodeError('unavailable', 'The read models do not know of every file that is named.');
}

/** The ids of those of the files that an account, a request, a product or the site's texts name; perhaps of others too. */
async function referenced(
  { readStore, aggregates }: SweepParts,
  files: readonly FileMetadata[],
): Promise<ReadonlySet<string>> {
  const ownersOf = (purpose: FilePurpose) => [
    ...new Set(files.flatMap((file) => (file.purpose === purpose ? [file.ownerId] : []))),
  ];
  const named = new Set<string>();
  for (const userId of ownersOf('evidence')) {
    for await (const { evidence } of requestsOf(readStore, userId))
      if (evidence !== undefined) named.add(evidence.fileId);
  }
  const people = await readStore.getMany<AccountDocument>('accounts', ownersOf('profile-image'));
  for (const { image } of people) if (image !== null) named.add(image.fileId);
  const publicFiles = files.filter(({ purpose }) => !purposeRules[purpose].isPersonal);
  if (publicFiles.length === 0) return named;
  for await (const { image, ownerImage, recommendedImages } of allProducts(readStore))
    for (const fileId of [image, ownerImage, ...recommendedImages]) named.add(fileId);
  // The site's texts have addresses, in whatever place: an id in them is enough.
  const { state } = await aggregates.settings.load(settingsStream);
  const texts = JSON.stringify(state.content);
  for (const { fileId } of publicFiles) if (texts.includes(fileId)) named.add(fileId);
  return named;
}

function requestsOf(
  store: Pick<ReadStoreReader, 'list'>,
  userId: string,
): AsyncGenerator<RequestDocument, void> {
  const query = { index: 'user', equals: { userId } };
  return pages<RequestDocument>(store, 'requests', query, ({ createdAt, id }) => [createdAt, id]);
}

function allProducts(store: Pick<ReadStoreReader, 'list'>): AsyncGenerator<ProductDocument, void> {
  return pages<ProductDocument>(store, 'products', { index: idIndex, equals: {} }, ({ id }) => [id]);
}

/** Every document of a list, read page by page. */
async function* pages<Doc extends Document>(
  store: Pick<ReadStoreReader, 'list'>,
  collection: string,
  query: Pick<ListQuery, 'index' | 'equals'>,
  keysOf: (document: Doc) => readonly string[],
): AsyncGenerator<Doc, void> {
  for (let after: readonly string[] | undefined; ;) {
    const page = await store.list<Doc>(collection, {
      ...query,
      direction: 'ascending',
      limit: limits.page,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < limits.page) return;
    after = keysOf(last);
  }
}
