import { LRUCache } from 'lru-cache';
import type { LogReader, OpenUploads, Progress } from '#engines';
import { filesNamedIn, FILE_NAMING_EVENTS } from '#files';
import { comparePositions, logStart, type Json, type StoredData } from '#kernel';

/** What was looked at, and what is wrong. */
export type UploadsReport = {
  readonly looked: number;
  readonly wrong: number;
  /** A sentence each for the first of those, and as callers are told it. */
  readonly complaints: readonly { readonly text: string; readonly told: string }[];
};

/** Events read at a time. */
const PAGE = 1_000;
/** Files that are wrong and told one by one. */
const COMPLAINTS_MAX = 100;
/** What is remembered, so that what several events name is looked at once: files, and streams with what they name now. */
const FILES_KNOWN_MAX = 20_000;
const STREAMS_KNOWN_MAX = 20;

/** After these nothing that the stream named is kept. */
const LETTING_GO = ['PersonForgotten', 'ProductDeleted'];
/**
 * Looks for each file that the log names, reads it, and compares it with what the event says of it. What may be gone is
 * not missed: files of people who were erased, pictures that were replaced, products that were deleted. Its memory does
 * not grow with the log.
 */
export async function checkUploads(
  log: Pick<LogReader, 'head' | 'readTypes' | 'readStream'>,
  { complaintAbout }: Pick<OpenUploads, 'complaintAbout'>,
  progress: Progress,
): Promise<UploadsReport> {
  const upTo = await log.head();
  const known = new LRUCache<string, true>({ max: FILES_KNOWN_MAX });
  const kept = new LRUCache<string, ReadonlySet<string>>({ max: STREAMS_KNOWN_MAX });
  const complaints: UploadsReport['complaints'][number][] = [];
  let [looked, wrong] = [0, 0];

  const keptBy = async (stream: string): Promise<ReadonlySet<string>> => {
    const ids = kept.get(stream) ?? (await filesKeptBy(log, stream));
    kept.set(stream, ids);
    return ids;
  };
  for (let after = logStart; comparePositions(after, upTo) < 0;) {
    const { events, scanned } = await log.readTypes(FILE_NAMING_EVENTS, after, PAGE);
    for (const { stream, position, type, data } of events) {
      for (const [fileId, mustBe] of filesNamedIn({ type, data })) {
        const key = `${stream} ${fileId}`;
        if (known.has(key)) continue;
        known.set(key, true);
        const complaint = await complaintAbout(fileId, mustBe);
        progress('Looking at uploaded files', (looked += 1));
        // Asked of those alone that something is wrong with: most of what is gone may be.
        if (complaint === undefined || !(await keptBy(stream)).has(fileId)) continue;
        wrong += 1;
        if (complaints.length >= COMPLAINTS_MAX) continue;
        const named = `the uploaded file ${fileId}, named at position ${position} (${type}),`;
        complaints.push({ text: `${named} ${complaint}`, told: `${named} is missing or changed` });
      }
    }
    after = scanned;
  }
  return { looked, wrong, complaints };
}

/** What a stream names as it is now: all evidence, and of everything else what was said last. */
async function filesKeptBy(log: Pick<LogReader, 'readStream'>, stream: string): Promise<ReadonlySet<string>> {
  const evidence = new Set<string>();
  let last: StoredData = {};
  let lastType = '';
  for (let from = 0; ;) {
    const page = await log.readStream(stream, { from, limit: PAGE });
    for (const { type, data } of page) {
      if (LETTING_GO.includes(type)) return new Set();
      if (!FILE_NAMING_EVENTS.includes(type)) continue;
      if (type === 'FundingRequested') {
        for (const fileId of filesNamedIn({ type, data }).keys()) evidence.add(fileId);
        continue;
      }
      const content = { ...sectionsIn(last), ...sectionsIn(data) };
      last = { ...last, ...data, ...(type === 'ContentChanged' ? { content } : {}) };
      lastType = type;
    }
    if (page.length < PAGE)
      return new Set([...evidence, ...filesNamedIn({ type: lastType, data: last }).keys()]);
    from += page.length;
  }
}

/** The sections of the site's texts that an event changes. */
function sectionsIn({ content }: StoredData): StoredData {
  return isSections(content) ? content : {};
}

function isSections(value: Json | undefined): value is StoredData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
