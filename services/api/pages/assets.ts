import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { BuiltScript, SiteAssets } from '#site';

/** The file in which the build says what it made of what. */
const MANIFEST = 'manifest.json';
/** The sources of the scripts, as the build names them. */
const SOURCES = { site: 'src/app/site/site.ts', widget: 'src/app/site/widget.ts' } as const;
const PDF_FRAME = 'src/pdf/frame.ts';
/** Fonts of the first words. */
const FIRST_FONTS = /(?:geist|source-serif-4)-latin-(?:wght|opsz)-normal/;

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
    assets: z.array(z.string()).default([]),
  }),
);
type Manifest = z.infer<typeof manifest>;

/** The built files of the site in `folder`; undefined where the site was not built. */
export function siteAssetsIn(folder: string): SiteAssets | undefined {
  const built = manifestIn(folder);
  const site = scriptIn(built, SOURCES.site);
  const widget = scriptIn(built, SOURCES.widget);
  return site === undefined || widget === undefined ? undefined : { site, widget };
}

const NOTHING_BUILT = { script: '', imports: [], styles: [], fonts: [] };
/** What pages of the site go by that have no files. */
export const noSiteAssets: SiteAssets = { site: NOTHING_BUILT, widget: NOTHING_BUILT };

/** The script that draws PDFs, and what it imports; undefined where it was not built. */
export function pdfFrameIn(folder: string): BuiltScript | undefined {
  return scriptIn(manifestIn(folder), PDF_FRAME);
}

function manifestIn(folder: string): Manifest {
  const file = join(folder, MANIFEST);
  return existsSync(file) ? manifest.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

function scriptIn(built: Manifest, source: string): BuiltScript | undefined {
  const names = neededBy(built, source);
  const [entry, ...imports] = names.flatMap((name) => built[name] ?? []);
  if (entry === undefined) return undefined;
  const all = [entry, ...imports];
  const path = (name: string) => `/${name}`;
  return {
    script: path(entry.file),
    imports: imports.map(({ file }) => path(file)),
    styles: all.flatMap(({ css }) => css).map(path),
    fonts: all.flatMap(({ assets }) => assets.filter((asset) => FIRST_FONTS.test(asset))).map(path),
  };
}

/** A chunk and all that it imports, each once. */
function neededBy(built: Manifest, source: string, seen: readonly string[] = []): readonly string[] {
  if (seen.includes(source)) return seen;
  return (built[source]?.imports ?? []).reduce<readonly string[]>(
    (known, name) => neededBy(built, name, known),
    [...seen, source],
  );
}
