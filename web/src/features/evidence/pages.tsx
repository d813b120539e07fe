import { Button } from '@mantine/core';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useState } from 'react';
import { PDF_FRAME_PATH } from '#contracts';
import type { Failure } from '../../pdf/messages';
import { Notice } from '../../ui';
import { Stage, Tool } from './stage';
import { useFrame, type Frame } from './use-frame';
import type { Placed } from './view';
import styles from './pages.module.css';

const words: Readonly<Record<Failure | 'slow', string>> = {
  encrypted: 'This PDF is protected with a password, so it can’t be shown.',
  broken: 'This PDF is damaged, so it can’t be shown.',
  slow: 'This PDF takes too long to be shown.',
};

/** Tells the frame where its page is to be, whenever that changes. */
function Place({ at, onPlace }: { readonly at: Placed | undefined; readonly onPlace: Frame['place'] }) {
  const { scale, turn, x, y } = at ?? { scale: 0, turn: 0, x: 0, y: 0 };
  useEffect(() => {
    if (scale > 0) onPlace({ scale, turn, x, y });
  }, [onPlace, scale, turn, x, y]);
  return null;
}

type ChoiceProps = { readonly page: number; readonly pages: number; readonly onGo: (page: number) => void };

/** Which page is shown, and the ways to the others. */
function PageChoice({ page, pages, onGo }: ChoiceProps) {
  const [typed, setTyped] = useState<string>();
  const go = () => {
    const asked = Math.round(Number(typed));
    setTyped(undefined);
    if (asked >= 1) onGo(Math.min(asked, pages));
  };
  return (
    <div className={styles.choice}>
      <Tool name="Previous page" isOff={page <= 1} onPress={() => onGo(page - 1)}>
        <ChevronLeft className="icon" />
      </Tool>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <input
          className="num"
          aria-label="Page"
          inputMode="numeric"
          value={typed ?? String(page)}
          size={Math.max(2, String(pages).length)}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={go}
        />
      </form>
      <span className="num soft">of {pages.toLocaleString('en')}</span>
      <Tool name="Next page" isOff={page >= pages} onPress={() => onGo(page + 1)}>
        <ChevronRight className="icon" />
      </Tool>
    </div>
  );
}

/** A PDF, a page at a time. It is drawn in a frame that has no origin and reaches nothing; see `pdf/frame.ts`. */
export function Pages({ file, onRetry }: { readonly file: Blob; readonly onRetry: () => void }) {
  const { frame, state, goTo, place } = useFrame(file);
  if (state.phase === 'failed')
    return (
      <div className={styles.failed}>
        <Notice
          title={words[state.why]}
          action={
            <Button variant="default" size="xs" onClick={onRetry}>
              Retry
            </Button>
          }
        >
          Download it to look at it in another program.
        </Notice>
      </div>
    );
  const { page, pages, size, isDrawn } = state;
  const keys = { PageUp: () => goTo(page - 1), PageDown: () => goTo(page + 1) };
  return (
    <Stage
      paper={size}
      label="PDF document"
      hint="Page up and page down turn the pages."
      isBusy={!isDrawn}
      keys={keys}
      tools={<PageChoice page={page} pages={pages} onGo={goTo} />}
    >
      {(at) => (
        <>
          <iframe
            ref={frame}
            title={pages === 0 ? 'PDF document' : `Page ${page} of ${pages}`}
            src={PDF_FRAME_PATH}
            sandbox="allow-scripts"
            referrerPolicy="no-referrer"
            tabIndex={-1}
            className={styles.frame}
          />
          <Place at={at} onPlace={place} />
        </>
      )}
    </Stage>
  );
}
