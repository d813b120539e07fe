import { readFileSync } from 'node:fs';

/** One part of the built pages, as the build lists it. */
type Chunk = {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
  readonly isEntry?: boolean;
};

const MANIFEST = new URL('../../../web/dist/manifest.json', import.meta.url);
const ADMIN = /^src\/app\/admin\//;

/** The names of the files that only an admin's screens need: what these load at once, and no other screen does. */
export function adminFiles(): ReadonlySet<string> {
  const chunks = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Readonly<Record<string, Chunk>>;
  const begun = Object.keys(chunks).filter((key) => chunks[key]?.isDynamicEntry || chunks[key]?.isEntry);
  const filesOf = (keys: readonly string[], seen = new Set<string>()): Set<string> => {
    const files = new Set<string>();
    for (const key of keys) {
      const chunk = chunks[key];
      if (chunk === undefined || seen.has(key)) continue;
      seen.add(key);
      for (const file of [chunk.file, ...(chunk.css ?? []), ...filesOf(chunk.imports ?? [], seen)])
        files.add(file);
    }
    return files;
  };
  const others = filesOf(begun.filter((key) => !ADMIN.test(key)));
  return new Set([...filesOf(begun.filter((key) => ADMIN.test(key)))].filter((file) => !others.has(file)));
}

/** Of the addresses that pages asked for, those of files that are an admin's alone. */
export function adminsAmong(asked: readonly string[]): readonly string[] {
  const files = adminFiles();
  return asked.filter((url) => files.has(new URL(url.replace(/^blob:/, '')).pathname.slice(1)));
}
