import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Scan from 'lucide-react/icons/scan';
import { useId, useRef, type ReactNode } from 'react';
import { useView } from './use-view';
import { MAX_ZOOM, type Placed, type Size } from './view';
import styles from './stage.module.css';

type ToolProps = {
  readonly name: string;
  readonly isOff?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
};

/** A button of the row under a stage. One that does nothing now keeps the focus that it has. */
export function Tool({ name, isOff = false, onPress, children }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={name}
      title={name}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onPress();
      }}
    >
      {children}
    </button>
  );
}

type Props = {
  /** The size of what is looked at; undefined until it is known. */
  readonly paper: Size | undefined;
  /** What is looked at, in words. */
  readonly label: string;
  /** What else its keys do, in words. */
  readonly hint?: string;
  readonly keys?: Readonly<Record<string, () => void>>;
  readonly isBusy?: boolean;
  /** Before the tools that every paper has. */
  readonly tools?: ReactNode;
  /** Draws the paper where it is placed; undefined until its size is known. */
  readonly children: (placed: Placed | undefined) => ReactNode;
};

const PERCENT = 100;

/** A paper that can be looked at from near and far, turned and moved. */
export function Stage({ paper, label, hint, keys, isBusy = paper === undefined, tools, children }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const { view, placed, zoomIn, zoomOut, turn, reset, onKeyDown, pointers } = useView(stage, paper, keys);
  return (
    <>
      <div
        ref={stage}
        className={styles.stage}
        role="group"
        aria-label={label}
        aria-describedby={hintId}
        aria-busy={isBusy}
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...pointers}
      >
        {children(placed)}
      </div>
      <p id={hintId} className="visually-hidden">
        Plus and minus zoom, arrows move, R turns, 0 fits it again. {hint}
      </p>
      <div className={styles.tools}>
        {tools}
        <Tool name="Zoom out" isOff={view.zoom <= 1} onPress={zoomOut}>
          <Minus className="icon" />
        </Tool>
        <output className="num" aria-label="Zoom">
          {Math.round(view.zoom * PERCENT)}%
        </output>
        <Tool name="Zoom in" isOff={view.zoom >= MAX_ZOOM} onPress={zoomIn}>
          <Plus className="icon" />
        </Tool>
        <Tool name="Turn by 90°" onPress={turn}>
          <RotateCw className="icon" />
        </Tool>
        <Tool name="Reset" onPress={reset}>
          <Scan className="icon" />
        </Tool>
      </div>
    </>
  );
}
