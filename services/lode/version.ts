import { readFileSync } from 'node:fs';

/** The version in package.json, as seen from this file's place in `dist/`. */
export function lodeVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
