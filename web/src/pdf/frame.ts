/**
 * Draws a PDF. Runs in a document of its own that has no origin, may load and reach nothing, and hears of the file and of
 * what to show by messages: whatever a PDF makes of its reader stays in here.
 */
import {
  getDocument,
  PasswordException,
  version,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist';
import 'pdfjs-dist/build/pdf.worker.mjs';
import { readToFrame, resolutionOf, type FromFrame, type Place } from './messages';

/** An image within a PDF with more pixels is left out. */
const MAX_IMAGE_PIXELS = 64_000_000;
const ERRORS_ONLY = 0;
const BYTES_A_PIXEL = 4;

/** This document's origin is opaque, but its address is that of the page around it. */
const { origin } = location;
const tell = (message: FromFrame) => parent.postMessage(message, origin);

type Shown = { readonly page: PDFPageProxy; readonly width: number; readonly height: number };
/** What is to be drawn: another one for every page and size. */
type Drawing = { readonly shown: Shown; readonly scale: number };

let pdf: PDFDocumentProxy | undefined;
let asked = 0;
let shown: Shown | undefined;
let place: Place | undefined;
let wanted: Drawing | undefined;
let isDrawing = false;
let canvas: HTMLCanvasElement | undefined;

document.body.style.overflow = 'hidden';

async function open(bytes: ArrayBuffer): Promise<void> {
  try {
    pdf = await getDocument({
      data: bytes,
      enableXfa: false,
      useWasm: false,
      // Its decoders of scans, which are scripts; what it would fetch it can't.
      wasmUrl: new URL(/* @vite-ignore */ `pdfjs-${version}/`, import.meta.url).href,
      useWorkerFetch: false,
      maxImageSize: MAX_IMAGE_PIXELS,
      canvasMaxAreaInBytes: MAX_IMAGE_PIXELS * BYTES_A_PIXEL,
      disableAutoFetch: true,
      verbosity: ERRORS_ONLY,
    }).promise;
    tell({ kind: 'opened', pages: pdf.numPages });
  } catch (error) {
    tell({ kind: 'failed', why: error instanceof PasswordException ? 'encrypted' : 'broken' });
  }
}

async function showPage(nth: number): Promise<void> {
  asked = nth;
  try {
    const page = await pdf?.getPage(nth);
    // Another one was asked for meanwhile.
    if (page === undefined || asked !== nth) return;
    shown?.page.cleanup();
    const { width, height } = page.getViewport({ scale: 1 });
    shown = { page, width, height };
    tell({ kind: 'page', page: nth, width, height });
    // Where the one before was, until it is told another place: of pages of a size there is none.
    if (place !== undefined) showAt(place);
  } catch {
    tell({ kind: 'failed', why: 'broken' });
  }
}

function showAt(at: Place): void {
  if (shown === undefined) return;
  place = at;
  if (wanted?.shown !== shown || wanted.scale !== at.scale) wanted = { shown, scale: at.scale };
  move();
  void drawWanted();
}

/** Puts what is drawn where it is to be, also while it is drawn anew. */
function move(): void {
  if (canvas === undefined || place === undefined || shown === undefined) return;
  const { scale, turn, x, y } = place;
  canvas.style.width = `${shown.width * scale}px`;
  canvas.style.height = `${shown.height * scale}px`;
  canvas.style.transform = `translate(-50%, -50%) translate(${x}px, ${y}px) rotate(${turn}deg)`;
}

/** Draws until what is drawn is what is wanted: one page at a time, and one canvas. */
async function drawWanted(): Promise<void> {
  if (isDrawing) return;
  isDrawing = true;
  for (let done: Drawing | undefined; wanted !== undefined && done !== wanted;) {
    done = wanted;
    await draw(done);
  }
  isDrawing = false;
}

async function draw(drawing: Drawing): Promise<void> {
  const { page } = drawing.shown;
  const scale = resolutionOf(drawing.shown, drawing.scale * devicePixelRatio);
  const viewport = page.getViewport({ scale });
  const next = document.createElement('canvas');
  next.width = Math.max(1, Math.floor(viewport.width));
  next.height = Math.max(1, Math.floor(viewport.height));
  Object.assign(next.style, { position: 'absolute', top: '50%', left: '50%' });
  try {
    await page.render({ canvas: next, viewport }).promise;
  } catch {
    tell({ kind: 'failed', why: 'broken' });
    return;
  }
  if (drawing.shown !== shown) return;
  document.body.replaceChildren(next);
  canvas = next;
  move();
  tell({ kind: 'drawn', page: page.pageNumber });
}

addEventListener('message', ({ data, origin: from, source }) => {
  if (source !== parent || from !== origin) return;
  const message = readToFrame(data);
  if (message?.kind === 'open' && pdf === undefined) void open(message.bytes);
  if (message?.kind === 'page') void showPage(message.page);
  if (message?.kind === 'place') showAt(message);
});
tell({ kind: 'ready' });
