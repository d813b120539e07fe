import { closureOf, readManifest } from './manifest.js';

const ADMIN = /^src\/app\/admin\//;

/** The names of the files that only an admin's screens need: what these load at once, and no other screen does. */
export function adminFiles(): ReadonlySet<string> {
  const manifest = readManifest();
  const begun = Object.keys(manifest).filter(
    (key) => manifest[key]?.isDynamicEntry || manifest[key]?.isEntry,
  );
  const filesOf = (keys: readonly string[]): Set<string> => {
    const chunks = [...closureOf(manifest, keys)].flatMap((key) => manifest[key] ?? []);
    return new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]));
  };
  const others = filesOf(begun.filter((key) => !ADMIN.test(key)));
  return new Set([...filesOf(begun.filter((key) => ADMIN.test(key)))].filter((file) => !others.has(file)));
}

/** Of the addresses that pages asked for, those of files that are an admin's alone. */
export function adminsAmong(asked: readonly string[]): readonly string[] {
  const files = adminFiles();
  return asked.filter((url) => files.has(new URL(url.replace(/^blob:/, '')).pathname.slice(1)));
}
