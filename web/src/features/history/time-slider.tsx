import { Button } from '@mantine/core';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { useEffect, useState } from 'react';
import { grouped, useMedia } from '../../lib';
import styles from './history.module.css';

/** Whoever asked their system for no motion. */
const CALM = '(prefers-reduced-motion: reduce)';
/** How long an event is shown while the history plays, in milliseconds. */
const STEP_MS = 1_200;

type Props = {
  readonly at: number;
  readonly last: number;
  /** What happened there, in words; undefined while it is not known yet. */
  readonly what: string | undefined;
  readonly onGo: (at: number) => void;
};

/** The place in the history: a slider, steps, and playing, which nobody is offered who asks for no motion. */
export function TimeSlider({ at, last, what, onGo }: Props) {
  const isCalm = useMedia(CALM);
  const [isPlaying, setPlaying] = useState(false);
  const isEnd = at >= last;
  const plays = isPlaying && !isCalm && !isEnd;
  const isKnown = what !== undefined;
  useEffect(() => {
    if (!plays || !isKnown) return undefined;
    const step = setTimeout(() => onGo(at + 1), STEP_MS);
    return () => clearTimeout(step);
  }, [plays, isKnown, at, onGo]);
  const goBy = (to: number) => {
    setPlaying(false);
    onGo(to);
  };
  const place = `event ${grouped(String(at + 1))} of ${grouped(String(last + 1))}`;
  return (
    <div className={styles.slider}>
      <label>
        <span className="visually-hidden">Moment</span>
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-valuetext={what === undefined ? place : `${place}, ${what}`}
          onChange={({ currentTarget: { value } }) => goBy(Number(value))}
        />
      </label>
      <div className={styles.steps}>
        <Button
          variant="default"
          size="xs"
          leftSection={<ChevronLeft className="icon small" />}
          disabled={at === 0}
          onClick={() => goBy(at - 1)}
        >
          Step back
        </Button>
        {!isCalm && (
          <Button
            variant="default"
            size="xs"
            leftSection={plays ? <Pause className="icon small" /> : <Play className="icon small" />}
            disabled={last === 0}
            onClick={() => {
              if (isEnd) onGo(0);
              setPlaying(!plays);
            }}
          >
            {plays ? 'Pause' : 'Play'}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          rightSection={<ChevronRight className="icon small" />}
          disabled={isEnd}
          onClick={() => goBy(at + 1)}
        >
          Step on
        </Button>
        <p className="soft num" role="status">
          {plays ? '' : place}
        </p>
      </div>
    </div>
  );
}
