import { Button } from '@mantine/core';
import FileText from 'lucide-react/icons/file-text';
import { useState, type ReactNode } from 'react';
import type { FundRequestView } from '#contracts';
import { useFile } from '../../api';
import { formatBytes, shortId } from '../../lib';
import { Copyable, LoadFailed } from '../../ui';
import { Pages } from './pages';
import { Picture } from './picture';
import styles from './evidence.module.css';

const kinds: Readonly<Record<FundRequestView['evidence']['mediaType'], string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

type Props = {
  readonly evidence: FundRequestView['evidence'];
  /** Whether it has most of the room, and on a phone all of it. */
  readonly isLarge: boolean;
  readonly onLarge: (isLarge: boolean) => void;
  /** What else there is to know about it. */
  readonly children?: ReactNode;
};

/** The payment evidence of a request, to be looked at where it is decided. */
export function Evidence({ evidence, isLarge, onLarge, children }: Props) {
  const file = useFile(evidence.fileId);
  const kind = kinds[evidence.mediaType];
  const isImage = kind !== 'pdf';
  // A PDF is read once somebody wants to see it, and again for every try.
  const [tries, setTries] = useState(0);
  const open = () => setTries((before) => before + 1);
  return (
    <section className={styles.evidence} aria-label="Evidence" data-large={isLarge} data-lode-cover={isLarge}>
      <div className={styles.head}>
        <h3 className="label">Evidence</h3>
        {file.phase === 'ready' && (
          <>
            <button
              type="button"
              className={`action ${styles.open ?? ''}`}
              onClick={() => {
                if (tries === 0) open();
                onLarge(!isLarge);
              }}
            >
              {isLarge ? 'Back to the request' : 'Open'}
            </button>
            <a
              className={`action ${styles.open ?? ''}`}
              href={file.url}
              download={`evidence-${evidence.fileId}.${kind}`}
            >
              Download
            </a>
          </>
        )}
      </div>
      {file.phase === 'ready' && isImage && <Picture url={file.url} />}
      {file.phase === 'ready' && !isImage && tries > 0 && (
        <Pages key={tries} file={file.blob} onRetry={open} />
      )}
      {(file.phase !== 'ready' || (!isImage && tries === 0)) && (
        <div className={styles.paper} aria-busy={file.phase === 'loading'}>
          {file.phase === 'failed' ? (
            <LoadFailed onRetry={file.retry} />
          ) : (
            <div>
              <FileText className="icon" />
              <p>
                {isImage ? 'Image' : 'PDF document'}, {formatBytes(evidence.bytes)}
              </p>
              {!isImage && (
                <Button variant="default" size="xs" disabled={file.phase !== 'ready'} onClick={open}>
                  Show pages
                </Button>
              )}
            </div>
          )}
        </div>
      )}
      {children}
      <p className={`soft ${styles.note ?? ''}`}>
        {formatBytes(evidence.bytes)}, uploaded by the customer with the request. SHA-256{' '}
        <Copyable text={evidence.sha256} shown={shortId(evidence.sha256, 4, 4)} what="SHA-256" />
      </p>
    </section>
  );
}
