/** A width and a height in pixels: of a picture, a page, or the place where it is looked at. */
export type Size = { readonly width: number; readonly height: number };

/** How a paper is looked at: how much larger than all of it, turned how far, and moved from the middle in pixels. */
export type View = {
  readonly zoom: number;
  readonly turn: 0 | 90 | 180 | 270;
  readonly x: number;
  readonly y: number;
};

/** What is looked at, and where. */
export type Sizes = { readonly paper: Size; readonly place: Size };

/** Where a paper is drawn: `scale` is in pixels of the screen for one of the paper. */
export type Placed = { readonly scale: number } & Omit<View, 'zoom'>;

export const MAX_ZOOM = 16;

/** All of the paper, as large as it gets. */
export const wholeView: View = { zoom: 1, turn: 0, x: 0, y: 0 };

const TURNS = { 0: 90, 90: 180, 180: 270, 270: 0 } as const;

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** The size of a paper as it lies. */
function lying({ width, height }: Size, turn: View['turn']): Size {
  return turn === 90 || turn === 270 ? { width: height, height: width } : { width, height };
}

/** Pixels of the screen for one of the paper, with all of it in its place. */
function scaleOfWhole({ paper, place }: Sizes, turn: View['turn']): number {
  const { width, height } = lying(paper, turn);
  return Math.min(place.width / width, place.height / height);
}

/** The view with its paper no further off than where its edge meets that of the place. */
function bounded(view: View, sizes: Sizes): View {
  const { width, height } = lying(sizes.paper, view.turn);
  const scale = scaleOfWhole(sizes, view.turn) * view.zoom;
  const reach = (paper: number, place: number) => Math.max(0, (paper * scale - place) / 2);
  const [right, down] = [reach(width, sizes.place.width), reach(height, sizes.place.height)];
  return { ...view, x: within(view.x, -right, right), y: within(view.y, -down, down) };
}

/** Larger or smaller by a factor, with what is at a point (in pixels from the middle of the place) staying there. */
export function zoomed(view: View, factor: number, sizes: Sizes, at = { x: 0, y: 0 }): View {
  const zoom = within(view.zoom * factor, 1, MAX_ZOOM);
  const grown = zoom / view.zoom;
  const x = at.x - (at.x - view.x) * grown;
  const y = at.y - (at.y - view.y) * grown;
  return bounded({ ...view, zoom, x, y }, sizes);
}

/** Moved by pixels of the screen. */
export function moved(view: View, by: { readonly x: number; readonly y: number }, sizes: Sizes): View {
  return bounded({ ...view, x: view.x + by.x, y: view.y + by.y }, sizes);
}

/** Turned to the right by a quarter, and all of it in its place again. */
export function turned({ turn }: View): View {
  return { ...wholeView, turn: TURNS[turn] };
}

export function placed({ zoom, turn, x, y }: View, sizes: Sizes): Placed {
  return { scale: scaleOfWhole(sizes, turn) * zoom, turn, x, y };
}
