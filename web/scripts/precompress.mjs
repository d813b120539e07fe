/** Writes a gzip and a Brotli copy beside each file of the build that text compression helps; the server picks one. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const assets = new URL('../dist/assets/', import.meta.url);
/** Below this, in bytes, the headers weigh more than what is saved. */
const SIZE_MIN = 1_000;

for (const name of readdirSync(assets)) {
  if (!/\.(?:js|css|svg)$/.test(name)) continue;
  const file = fileURLToPath(new URL(name, assets));
  const content = readFileSync(file);
  if (content.length < SIZE_MIN) continue;
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(content));
}
