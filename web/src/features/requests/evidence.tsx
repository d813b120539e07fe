import FileText from 'lucide-react/icons/file-text';
import type { FundRequestView } from '#contracts';
import { useFile } from '../../api';
import { formatBytes, shortId } from '../../lib';
import { Copyable, LoadFailed } from '../../ui';
import styles from './evidence.module.css';

const kinds: Readonly<Record<FundRequestView['evidence']['mediaType'], string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** The payment evidence of a request: an image as it is, a PDF as a card to open. */
export function Evidence({ evidence }: { readonly evidence: FundRequestView['evidence'] }) {
  const file = useFile(evidence.fileId);
  const kind = kinds[evidence.mediaType];
  const isImage = kind !== 'pdf';
  return (
    <section className={styles.evidence} aria-label="Evidence">
      <div className={styles.head}>
        <h3 className="label">Evidence</h3>
        {file.phase === 'ready' && (
          <a
            className={`action ${styles.open ?? ''}`}
            href={file.url}
            download={`evidence-${evidence.fileId}.${kind}`}
          >
            Download
          </a>
        )}
      </div>
      <div className={styles.paper} aria-busy={file.phase === 'loading'}>
        {file.phase === 'failed' && <LoadFailed onRetry={file.retry} />}
        {file.phase === 'ready' && isImage && <img src={file.url} alt="Payment evidence" />}
        {(!isImage || file.phase === 'loading') && file.phase !== 'failed' && (
          <p>
            <FileText className="icon" />
            {isImage ? 'Image' : 'PDF document'}, {formatBytes(evidence.bytes)}
          </p>
        )}
      </div>
      <p className={`soft ${styles.note ?? ''}`}>
        {formatBytes(evidence.bytes)}, uploaded by the customer with the request. SHA-256{' '}
        <Copyable text={evidence.sha256} shown={shortId(evidence.sha256, 4, 4)} what="SHA-256" />
      </p>
    </section>
  );
}
