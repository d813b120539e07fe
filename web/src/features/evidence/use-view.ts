import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { moved, placed, turned, wholeView, zoomed, type Placed, type Size, type View } from './view';

/** How much a press of a button or key changes. */
const ZOOM_STEP = 1.4;
const MOVE_STEP = 48;
/** Pixels of a wheel that make a paper e times as large. */
const WHEEL = 480;

/** How a paper is looked at, and what changes that. */
export type Looking = {
  readonly view: View;
  readonly placed: Placed | undefined;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly turn: () => void;
  readonly reset: () => void;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
  readonly pointers: Pick<
    React.DOMAttributes<HTMLElement>,
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'
  >;
};

type Point = { readonly x: number; readonly y: number };
type Change = (view: View, sizes: { readonly paper: Size; readonly place: Size }) => View;

/** The size of an element, as it is now. */
function useSize(element: React.RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Follows one finger or the mouse, which move the paper, or two, which also make it larger or smaller. */
function usePointers(stage: React.RefObject<HTMLElement | null>, change: (by: Change) => void) {
  const down = useRef(new Map<number, Point>());
  const end = ({ pointerId }: React.PointerEvent) => void down.current.delete(pointerId);
  return {
    onPointerDown: (event: React.PointerEvent) => {
      if (event.button !== 0 || stage.current === null) return;
      stage.current.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove: ({ pointerId, clientX, clientY }: React.PointerEvent) => {
      const last = down.current.get(pointerId);
      if (last === undefined || stage.current === null) return;
      const now = { x: clientX, y: clientY };
      down.current.set(pointerId, now);
      const others = [...down.current].filter(([id]) => id !== pointerId).map(([, point]) => point);
      const by = { x: (now.x - last.x) / down.current.size, y: (now.y - last.y) / down.current.size };
      const [other] = others;
      if (other === undefined) {
        change((view, sizes) => moved(view, by, sizes));
        return;
      }
      const apart = (point: Point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      const at = fromMiddle(stage.current, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      const factor = apart(now) / apart(last);
      change((view, sizes) => zoomed(moved(view, by, sizes), factor, sizes, at));
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

/** A point of the window, from the middle of an element. */
function fromMiddle(element: HTMLElement, { x, y }: Point): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: x - left - width / 2, y: y - top - height / 2 };
}

/** A wheel over the stage zooms, and doesn't scroll what is behind. */
function useWheel(stage: React.RefObject<HTMLElement | null>, change: (by: Change) => void): void {
  useEffect(() => {
    const { current } = stage;
    if (current === null) return;
    const turnWheel = (event: WheelEvent) => {
      event.preventDefault();
      const at = fromMiddle(current, { x: event.clientX, y: event.clientY });
      change((view, sizes) => zoomed(view, Math.exp(-event.deltaY / WHEEL), sizes, at));
    };
    // React's own listener may not keep the page from scrolling.
    current.addEventListener('wheel', turnWheel, { passive: false });
    return () => current.removeEventListener('wheel', turnWheel);
  }, [stage, change]);
}

/** A paper looked at on a stage: with its buttons, keys, wheel, mouse and fingers. It fits again when either changes its size. */
export function useView(
  stage: React.RefObject<HTMLElement | null>,
  paper: Size | undefined,
  moreKeys: Readonly<Record<string, () => void>> = {},
): Looking {
  const [view, setView] = useState(wholeView);
  const place = useSize(stage);
  const [width, height] = [paper?.width, paper?.height];
  useEffect(() => {
    setView(({ turn }) => ({ ...wholeView, turn }));
  }, [place, width, height]);
  const change = useCallback(
    (by: Change) => {
      if (width === undefined || height === undefined) return;
      setView((before) => by(before, { paper: { width, height }, place }));
    },
    [width, height, place],
  );
  useWheel(stage, change);
  const pointers = usePointers(stage, change);
  const zoom = (factor: number) => () => change((before, sizes) => zoomed(before, factor, sizes));
  const move = (x: number, y: number) => () => change((before, sizes) => moved(before, { x, y }, sizes));
  const acts = {
    zoomIn: zoom(ZOOM_STEP),
    zoomOut: zoom(1 / ZOOM_STEP),
    turn: () => change(turned),
    reset: () => change(() => wholeView),
  };
  const keys: Readonly<Record<string, () => void>> = {
    '+': acts.zoomIn,
    '=': acts.zoomIn,
    '-': acts.zoomOut,
    '−': acts.zoomOut,
    r: acts.turn,
    '0': acts.reset,
    ArrowLeft: move(MOVE_STEP, 0),
    ArrowRight: move(-MOVE_STEP, 0),
    ArrowUp: move(0, MOVE_STEP),
    ArrowDown: move(0, -MOVE_STEP),
    ...moreKeys,
  };
  return {
    view,
    placed: paper && placed(view, { paper, place }),
    ...acts,
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = keys[event.key];
      if (act === undefined) return;
      // What is around the stage has keys of its own.
      event.preventDefault();
      event.stopPropagation();
      act();
    },
    pointers,
  };
}
