import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { notifyError } from '../../ui';
import { moved, squareOf, whole, ZOOM_MAX, type Crop } from './crop';
import styles from './settings.module.css';

/** Pixels of the picture that is kept. */
const SIDE = 512;
/** What one press of an arrow key moves, in sides of the square. */
const STEP = 0.05;

const arrows: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

type Props = {
  readonly picture: ImageBitmap;
  readonly busy: boolean;
  readonly onUse: (file: File) => void;
  readonly onCancel: () => void;
};

function useDrawn(canvas: RefObject<HTMLCanvasElement | null>, picture: ImageBitmap, crop: Crop): void {
  useEffect(() => {
    const { left, top, side } = squareOf(picture.width, picture.height, crop);
    canvas.current?.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE);
  }, [canvas, picture, crop]);
}

/** Cuts a square out of a picture: dragged or moved by the arrow keys, and drawn nearer by a slider. */
export function Cropper({ picture, busy, onUse, onCancel }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const zoomId = useId();
  const [crop, setCrop] = useState<Crop>(whole);
  const { width, height } = picture;
  const move = (right: number, down: number) =>
    setCrop((before) => moved(before, width, height, right, down));
  // The button that asked for it is gone.
  useEffect(() => canvas.current?.focus(), []);
  useDrawn(canvas, picture, crop);
  const use = () =>
    canvas.current?.toBlob((blob) => {
      if (blob === null) notifyError('Failed to upload image.');
      else onUse(new File([blob], 'profile.png', { type: 'image/png' }));
    }, 'image/png');
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const { clientWidth } = event.currentTarget;
    move(event.movementX / clientWidth, event.movementY / clientWidth);
  };
  return (
    <div className={styles.crop}>
      <canvas
        ref={canvas}
        width={SIDE}
        height={SIDE}
        role="img"
        aria-label="Your picture as it will be cut. Arrow keys move it."
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={(event) => {
          const by = arrows[event.key];
          if (by === undefined) return;
          event.preventDefault();
          move(...by);
        }}
      />
      <div className={styles.cropping}>
        <p>
          <b>Cut the picture</b>
        </p>
        <p className="soft">Drag it, or use the arrow keys.</p>
        <label className="lode-label" htmlFor={zoomId}>
          Zoom
        </label>
        <input
          id={zoomId}
          type="range"
          min={1}
          max={ZOOM_MAX}
          step={0.05}
          value={crop.zoom}
          aria-valuetext={`${Math.round(crop.zoom * 100)} %`}
          onChange={(event) => setCrop({ ...crop, zoom: Number(event.currentTarget.value) })}
        />
        <div className={styles.all}>
          <Button disabled={busy} onClick={use}>
            {busy ? 'Please wait' : 'Use picture'}
          </Button>
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </div>
  );
}
