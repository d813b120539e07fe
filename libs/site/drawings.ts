import { html, type Html } from './html.js';

/** The drawings of the hero: how many layers of rock lie above the vein. */
const VEINS = [6, 4, 8] as const;
const LAYERS = 11;
const WIDTH = 1_440;
const DEPTH = 62;
/** Points of a layer are this far apart. */
const STEP = 120;

/** The mark of the product. */
export function mark(size: number): Html {
  return html`<svg width="${size}" height="${size}" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M3 6.2 12 2l9 4.2v3.1L12 5.1 3 9.3Z" fill="currentColor" />
    <path class="vein-fill" d="M3 12 12 7.8 21 12v3.1L12 10.9 3 15.1Z" />
    <path d="M3 17.8 12 13.6l9 4.2v.4L12 22l-9-3.8Z" fill="currentColor" />
  </svg>`;
}

const ICONS = {
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M18 6 6 18M6 6l12 12',
  warning: 'm21.7 18-8-14a2 2 0 0 0-3.5 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.7-3M12 9v4M12 17h.01',
  previous: 'M19 12H5m7 7-7-7 7-7',
  next: 'M5 12h14m-7-7 7 7-7 7',
  stop: 'M6 4h3v16H6zM15 4h3v16h-3z',
  play: 'M7 4v16l13-8z',
} as const;

export function icon(name: keyof typeof ICONS): Html {
  return html`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true">
    <path d="${ICONS[name]}" />
  </svg>`;
}

/** Rock in layers with one level vein in it, the same each time: a line that climbs would promise something. */
export function strata(slide: number): Html {
  const vein = VEINS[slide % VEINS.length];
  const layers = Array.from({ length: LAYERS }, (_, layer) =>
    layer === vein
      ? html`<path class="vein" d="${lineOf(slide, layer, 4)}" />`
      : html`<path d="${lineOf(slide, layer, 26)}" />`,
  );
  return html`<svg
    class="strata"
    viewBox="0 0 ${WIDTH} 620"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
  >
    ${layers}
  </svg>`;
}

/** The three drawings. */
export const DRAWINGS = VEINS.length;

/** One layer as a smooth path; `swing` is how far it leaves its depth. */
function lineOf(slide: number, layer: number, swing: number): string {
  const depthAt = (x: number) => {
    const turn = x / 190 + layer * 1.9 + slide * 2.7;
    return Math.round(
      layer * DEPTH + 14 + swing * (Math.sin(turn) * 0.6 + Math.sin(turn * 0.43 + layer) * 0.4),
    );
  };
  const points = Array.from({ length: WIDTH / STEP + 2 }, (_, at) => (at - 0.5) * STEP);
  const [first = 0, ...others] = points;
  const curves = others.map((x) => {
    const half = STEP / 2;
    const [before, after] = [slopeAt(depthAt, x - STEP), slopeAt(depthAt, x)];
    const [from, to] = [depthAt(x - STEP) + before * half * 0.7, depthAt(x) - after * half * 0.7];
    return `C${x - half} ${Math.round(from)} ${x - half} ${Math.round(to)} ${x} ${depthAt(x)}`;
  });
  return `M${first} ${depthAt(first)}${curves.join('')}`;
}

function slopeAt(depthAt: (x: number) => number, x: number): number {
  return (depthAt(x + 10) - depthAt(x - 10)) / 20;
}
