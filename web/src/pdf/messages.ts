/** Where a document is drawn on the screen: `scale` is in pixels for one of its points. */
export type Place = {
  readonly scale: number;
  readonly turn: number;
  readonly x: number;
  readonly y: number;
};

/** Why nothing is shown. */
export const failures = ['broken', 'encrypted'] as const;
export type Failure = (typeof failures)[number];

/** What the page that shows a PDF tells the frame that draws it. */
export type ToFrame =
  | { readonly kind: 'open'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'page'; readonly page: number }
  | ({ readonly kind: 'place' } & Place);

/** What the frame tells the page: a PDF decides what it says in each, so none of it is believed unlooked at. */
export type FromFrame =
  | { readonly kind: 'ready' }
  | { readonly kind: 'opened'; readonly pages: number }
  | { readonly kind: 'page'; readonly page: number; readonly width: number; readonly height: number }
  | { readonly kind: 'drawn'; readonly page: number }
  | { readonly kind: 'failed'; readonly why: Failure };

/** More pages than any evidence has, and fewer than a number that is shown wrongly. */
const MAX_PAGES = 1_000_000;
/** Sides of a page, in points: beyond, nothing is drawn that anybody could see. */
const MAX_SIDE = 100_000;
const MAX_SCALE = 10_000;

type Told = Readonly<Record<string, unknown>>;

const isTold = (data: unknown): data is Told => typeof data === 'object' && data !== null;
const isPage = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PAGES;
const isSide = (value: unknown): value is number =>
  typeof value === 'number' && value >= 1 && value <= MAX_SIDE;
const isFailure = (value: unknown): value is Failure => failures.some((failure) => failure === value);

/** What the frame hears; undefined for everything that is no message of the page's. */
export function readToFrame(data: unknown): ToFrame | undefined {
  if (!isTold(data)) return undefined;
  const { kind, bytes, page, scale, turn, x, y } = data;
  if (kind === 'open' && bytes instanceof ArrayBuffer) return { kind, bytes };
  if (kind === 'page' && isPage(page)) return { kind, page };
  if (kind !== 'place' || ![scale, turn, x, y].every(Number.isFinite)) return undefined;
  const place = { scale: Number(scale), turn: Number(turn), x: Number(x), y: Number(y) };
  return place.scale > 0 && place.scale <= MAX_SCALE ? { kind, ...place } : undefined;
}

/** What the page hears; undefined for everything that is no message of the frame's. */
export function readFromFrame(data: unknown): FromFrame | undefined {
  if (!isTold(data)) return undefined;
  const { kind, pages, page, width, height, why } = data;
  if (kind === 'ready') return { kind };
  if (kind === 'opened' && isPage(pages)) return { kind, pages };
  if (kind === 'page' && isPage(page) && isSide(width) && isSide(height))
    return { kind, page, width, height };
  if (kind === 'drawn' && isPage(page)) return { kind, page };
  return kind === 'failed' && isFailure(why) ? { kind, why } : undefined;
}

/** The most pixels of a drawn page, and along a side: what every browser has a canvas for. */
const MAX_PIXELS = 16_000_000;
const MAX_CANVAS_SIDE = 8_192;

/** Pixels of the canvas for one point of a page: as many as are wanted, as long as the canvas stays within its bounds. */
export function resolutionOf(
  { width, height }: { readonly width: number; readonly height: number },
  wanted: number,
): number {
  return Math.min(
    wanted,
    Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_CANVAS_SIDE / Math.max(width, height),
  );
}
