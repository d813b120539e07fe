import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ReadStoreReader } from '#read-store';
import { lookAtDocuments, lookAtIdentity, lookAtLog, type Look, type Looking, type ScrubState } from '#scrub';
import { walletModels } from '#projections';
import { opening } from './closing.js';
import type { EngineSettings } from './engines.js';
import { identityOf } from './identity.js';
import { logOf } from './log.js';
import { modelsOf } from './models.js';
import { placesIn } from './places.js';
import { checkTable } from './structure.js';

const OWNER_ONLY = 0o600;

/** The parts that are looked at beside the program, in this order. The program itself looks at uploaded files. */
export function scrubParts(): readonly string[] {
  return ['structure', 'log', 'identity', ...walletModels.map(({ name }) => documentsOf(name))];
}

const documentsOf = (model: string) => `documents of ${model}`;

/** Everything but files, opened to be looked at beside whoever writes it. */
export type Looks = {
  readonly look: (part: string, place: string | undefined) => Promise<Look>;
  readonly close: () => Promise<void>;
};

/** Opens what the parts of `scrubParts` are looked at by. */
export function openLooks(settings: EngineSettings): Promise<Looks> {
  return opening(async (closing) => {
    const log = await logOf(settings).openToRead();
    closing.add(() => log.close());
    const rows = await identityOf(settings).openRows({ completes: true });
    closing.add(() => rows.close());
    const models: ReadStoreReader = await modelsOf(settings).openReader();
    closing.add(() => models.close());
    const looks: ReadonlyMap<string, Looking> = new Map([
      ['structure', lookAtStructure(settings)],
      ['log', lookAtLog(log, models)],
      ['identity', lookAtIdentity(rows)],
      ...walletModels.map(({ name }) => [documentsOf(name), lookAtDocuments(models, name)] as const),
    ]);
    return {
      look: (part, place) =>
        looks.get(part)?.(place) ?? Promise.resolve({ looked: 0, found: [], next: undefined }),
      close: closing.run,
    };
  });
}

/** Has SQLite look through its own tables, one after the other; there are none where everything is on servers. */
function lookAtStructure({ dataFolder }: EngineSettings): Looking {
  return async (place) => {
    const number = Number(place ?? 0);
    const table = checkTable(placesIn(dataFolder), number);
    if (table === undefined) return { looked: 0, found: [], next: undefined };
    const { name, complaint } = table;
    const found =
      complaint === undefined
        ? []
        : [{ what: `The table ${name} is damaged or can't be read: ${complaint}.` }];
    return { looked: 1, found, next: String(number + 1) };
  };
}

/** What is kept in a data folder of the look at everything, of the log of this id. */
export type ScrubMemory = {
  readonly load: (logId: string) => ScrubState | undefined;
  readonly keep: (logId: string, state: ScrubState) => void;
};

export function scrubMemoryIn(folder: string): ScrubMemory {
  const file = placesIn(folder).scrub;
  return {
    load: (logId) => {
      const kept = scrubStateIn(folder);
      return kept?.logId === logId ? kept.state : undefined;
    },
    keep: (logId, state) => {
      try {
        writeFileSync(`${file}.new`, JSON.stringify({ logId, state }), { mode: OWNER_ONLY });
        renameSync(`${file}.new`, file);
      } catch {
        // On a full disk it goes on, and begins again after a restart.
      }
    },
  };
}

/** What was kept of the look at everything; undefined where nothing was. */
export function scrubStateIn(
  folder: string,
): { readonly logId: string; readonly state: ScrubState } | undefined {
  const file = placesIn(folder).scrub;
  if (!existsSync(file)) return undefined;
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly logId: string;
      readonly state: ScrubState;
    };
    return typeof kept.state.checkedAt === 'object' ? kept : undefined;
  } catch {
    return undefined;
  }
}
