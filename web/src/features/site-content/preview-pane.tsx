import { NativeSelect } from '@mantine/core';
import { Notice, Segments, Skeleton } from '../../ui';
import type { Looking } from './looking';
import { PreviewFrame, widths, type Width } from './preview-frame';
import { pageNames, placeWords } from './texts';
import type { Faults, Preview } from './use-preview';
import styles from './preview.module.css';

type Props = {
  readonly preview: Preview;
  readonly looking: Looking;
  /** What the picture is of, in words. */
  readonly what: string;
  /** The texts that are written, of which the first on the page is looked at. */
  readonly texts: readonly string[];
};

const widthNames = { phone: 'Phone', desktop: 'Desktop' } as const;

/** A page as a visitor would see it with what is written, or what keeps it from being so. */
export default function PreviewPane({ preview, looking, what, texts }: Props) {
  const { pages, page, width, set } = looking;
  const { written, faults, isAway, isBusy } = preview;
  if (pages.length === 0)
    return (
      <section className={styles.pane} aria-label="Preview">
        <Notice title="No page shows these texts.">They are what mails say.</Notice>
        <FaultList faults={faults} />
      </section>
    );
  return (
    <section className={styles.pane} aria-label="Preview">
      <div className={styles.choices}>
        <NativeSelect
          label="Page"
          value={page}
          data={pages.map((value) => ({ value, label: pageNames[value] }))}
          onChange={({ currentTarget: { value } }) =>
            set({ page: pages.find((one) => one === value) ?? page })
          }
        />
        <Segments
          label="Width"
          values={Object.keys(widths) as readonly Width[]}
          captions={widthNames}
          value={width}
          onChange={(value) => set({ width: value })}
        />
      </div>
      <div className={styles.words} role="status">
        {faults.size === 0 && <p className="soft">{isAway ? AWAY : what}</p>}
        {faults.size > 0 && <FaultList faults={faults} />}
      </div>
      {written === undefined && faults.size === 0 && !isAway && <Skeleton width="24ch" />}
      {written?.html === null && (
        <Notice title="There is no such page yet.">It comes with its first text.</Notice>
      )}
      {typeof written?.html === 'string' && (
        <PreviewFrame
          key={written.page}
          title={`Preview of the page ${pageNames[written.page]}`}
          html={written.html}
          width={width}
          texts={texts}
          isBusy={isBusy}
        />
      )}
      <p className={`faint ${styles.note ?? ''}`}>
        Links lead nowhere here, pictures stand still, and figures come on the site itself.
      </p>
    </section>
  );
}

const AWAY =
  'It can’t be shown anew now. Check your connection. If it holds, the service is away for a moment.';

function FaultList({ faults }: { readonly faults: Faults }) {
  if (faults.size === 0) return null;
  return (
    <>
      <p>This can’t be saved yet, so the page stands as it was:</p>
      <ul className={styles.faults}>
        {[...faults].map(([path, message]) => (
          <li key={path}>
            {path !== '' && <b>{placeWords(path)}: </b>}
            {message}
          </li>
        ))}
      </ul>
    </>
  );
}
