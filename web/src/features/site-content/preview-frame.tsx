import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { placeOf, readDraft, redraw, reveal, textOf } from './draft';
import styles from './preview.module.css';

/** As wide as the window of a visitor, in pixels. */
export const widths = { phone: 390, desktop: 1280 } as const;
export type Width = keyof typeof widths;

type Props = {
  readonly title: string;
  /** The page as the service wrote it. */
  readonly html: string;
  readonly width: Width;
  /** Texts of which the first that is on the page is brought into view. */
  readonly texts: readonly string[];
  readonly isBusy: boolean;
};

/**
 * Shows a page of the site as in a window of this width, made smaller where there is less room. No script runs in the frame, whatever is
 * in the page, and nothing in it can be sent or gone to. It has the origin of the site: it gets its pictures and fonts, which are given
 * to nobody else, and this page draws in it what has changed, where whoever looks at it is.
 */
export function PreviewFrame({ title, html, width, texts, isBusy }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { ref: stage, width: room, height } = useElementSize();
  const [first] = useState(() => textOf(readDraft(html)));
  const [isLoaded, setLoaded] = useState(false);
  const drawn = useRef(html);
  useEffect(() => {
    const shown = frame.current?.contentDocument ?? undefined;
    if (!isLoaded || shown === undefined || drawn.current === html) return;
    drawn.current = html;
    const changed = redraw(shown, readDraft(html));
    if (changed !== undefined) reveal(changed);
  }, [html, isLoaded]);
  const sought = useRef(texts);
  useEffect(() => {
    sought.current = texts;
  }, [texts]);
  const isMeasured = room > 0;
  // In a window of another width all of it is somewhere else.
  useEffect(() => {
    const shown = frame.current?.contentDocument ?? undefined;
    const place = isLoaded && isMeasured ? shown && placeOf(shown, sought.current) : undefined;
    if (place !== undefined) reveal(place);
  }, [width, isLoaded, isMeasured]);
  const scale = isMeasured ? Math.min(1, room / widths[width]) : 1;
  return (
    <div ref={stage} className={styles.stage} aria-busy={isBusy}>
      <div className={styles.window} data-measured={isMeasured} style={{ width: widths[width] * scale }}>
        <iframe
          ref={frame}
          className={styles.frame}
          title={title}
          sandbox="allow-same-origin"
          srcDoc={first}
          style={{ width: widths[width], height: height / scale, transform: `scale(${scale})` }}
          onLoad={() => setLoaded(true)}
        />
      </div>
    </div>
  );
}
