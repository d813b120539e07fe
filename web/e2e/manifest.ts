import { readFileSync } from 'node:fs';

/** One part of the built pages, as the build lists it. */
export type Chunk = {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
  readonly isEntry?: boolean;
};
export type Manifest = Readonly<Record<string, Chunk>>;

const MANIFEST = new URL('../../../web/dist/manifest.json', import.meta.url);

/** The parts of the pages that were built last, by what they were built of. */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
}

/** What some parts load at once, themselves included. Throws for one that the build does not have. */
export function closureOf(
  manifest: Manifest,
  keys: readonly string[],
  seen = new Set<string>(),
): Set<string> {
  for (const key of keys) {
    if (seen.has(key)) continue;
    const chunk = manifest[key];
    if (chunk === undefined)
      throw new Error(`The build has no ${key}; whoever asks for it has to follow the routes.`);
    seen.add(key);
    closureOf(manifest, chunk.imports ?? [], seen);
  }
  return seen;
}
