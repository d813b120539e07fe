/**
 * Draws the picture that previews of the public pages show elsewhere, into web/public/image: the mark on slate between layers of
 * rock, in the colours of the dark theme. It is committed; run it to draw it anew. `CHROMIUM` names the browser that draws.
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const file = fileURLToPath(new URL('../public/image/preview.png', import.meta.url));
const [WIDTH, HEIGHT] = [1200, 630];
/** Of `web/src/ui/tokens.css`, dark: ground, line, soft ink and copper. */
const [GROUND, LINE, INK, COPPER] = ['#0c1118', '#272c34', '#a9b0ba', '#d8926a'];
const LAYERS = 13;
const VEIN = 9;
const STEP = 24;

/** A layer of rock, as a line across the picture. */
function layer(nth) {
  const depth = (nth + 0.5) * (HEIGHT / LAYERS);
  const points = Array.from({ length: WIDTH / STEP + 1 }, (_, at) => {
    const x = at * STEP;
    const y = depth + 13 * Math.sin(x / 170 + nth / 3) + 5 * Math.sin(x / 61 - nth);
    return `${x},${y.toFixed(1)}`;
  });
  const [stroke, width] = nth === VEIN ? [COPPER, 5] : [LINE, 2];
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round" />`;
}

const size = 300;
const mark = `<svg x="${(WIDTH - size) / 2}" y="${(HEIGHT - size) / 2}" width="${size}" height="${size}" viewBox="0 0 24 24">
  <path d="M3 6.2 12 2l9 4.2v3.1L12 5.1 3 9.3Z" fill="${INK}" />
  <path d="M3 12 12 7.8 21 12v3.1L12 10.9 3 15.1Z" fill="${COPPER}" />
  <path d="M3 17.8 12 13.6l9 4.2v.4L12 22l-9-3.8Z" fill="${INK}" />
</svg>`;
const layers = Array.from({ length: LAYERS }, (_, nth) => nth)
  .filter((nth) => nth !== VEIN)
  .map(layer);
/** The rock is left out around the mark, and the vein is not. */
const clearing = `<circle cx="${WIDTH / 2}" cy="${HEIGHT / 2}" r="190" fill="${GROUND}" />`;
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" style="display: block">
  <rect width="100%" height="100%" fill="${GROUND}" />${layers.join('')}${clearing}${layer(VEIN)}${mark}
</svg>`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  await page.setContent(`<body style="margin: 0">${drawing}</body>`);
  await page.screenshot({ path: file });
} finally {
  await browser.close();
}
