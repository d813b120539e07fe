/** Where a box stands in the window, in pixels. */
export type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>;

/** Below the top bar, which toasts would hide. */
export const TOASTS_TOP = 68;
const GAP = 8;

/**
 * The top, in pixels, at which toasts cover none of `others`: their own place, or else the nearest below one of those, or
 * else above; their own again where there is no room.
 */
export function topBeside(toasts: Box, others: readonly Box[], windowHeight: number): number {
  const height = toasts.bottom - toasts.top;
  const isFree = (top: number) =>
    top >= 0 &&
    top + height <= windowHeight &&
    others.every(
      (other) =>
        other.right <= toasts.left ||
        other.left >= toasts.right ||
        other.bottom <= top ||
        other.top >= top + height,
    );
  const below = others.map(({ bottom }) => bottom + GAP).sort((one, two) => one - two);
  const above = others.map(({ top }) => top - GAP - height).sort((one, two) => two - one);
  return [TOASTS_TOP, ...below, ...above].find(isFree) ?? TOASTS_TOP;
}
