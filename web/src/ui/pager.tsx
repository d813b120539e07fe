import { Button } from '@mantine/core';
import styles from './pager.module.css';

type Props = {
  readonly first: number;
  readonly count: number;
  readonly previous: string | null;
  readonly next: string | null;
  readonly onGo: (cursor: string) => void;
  /** Which of all stand first, in words. */
  readonly order?: 'newest first' | 'oldest first' | 'last to run out first' | undefined;
};

/** Previous and Next of a keyset list: disabled at the ends, never hidden. */
export function Pager({ first, count, previous, next, onGo, order = 'newest first' }: Props) {
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className="soft num">{count > 0 && `Rows ${first}–${first + count - 1}, ${order}`}</span>
      <Button
        variant="default"
        size="xs"
        disabled={previous === null}
        onClick={() => previous && onGo(previous)}
      >
        Previous
      </Button>
      <Button variant="default" size="xs" disabled={next === null} onClick={() => next && onGo(next)}>
        Next
      </Button>
    </nav>
  );
}
