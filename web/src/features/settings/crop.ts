/** How a picture is cut: a square of it, by how far it is drawn near and where its middle is, each from 0 to 1. */
export type Crop = { readonly zoom: number; readonly x: number; readonly y: number };

export const ZOOM_MAX = 4;
export const whole: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** The square of a picture of so many pixels that a crop shows; never beyond its edges. */
export function squareOf(width: number, height: number, { zoom, x, y }: Crop) {
  const side = Math.min(width, height) / Math.min(Math.max(zoom, 1), ZOOM_MAX);
  return { left: (width - side) * within(x), top: (height - side) * within(y), side };
}

/** A crop whose picture was moved by a part of the square's side; to the right is further left in the picture. */
export function moved(crop: Crop, width: number, height: number, right: number, down: number): Crop {
  const { side } = squareOf(width, height, crop);
  const part = (by: number, room: number) => (room === 0 ? 0 : (by * side) / room);
  return {
    ...crop,
    x: within(crop.x - part(right, width - side)),
    y: within(crop.y - part(down, height - side)),
  };
}

function within(part: number): number {
  return Math.min(Math.max(part, 0), 1);
}
