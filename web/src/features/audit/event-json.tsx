import type { EventDetails } from '#contracts';
import { Copy } from '../../ui';
import { prettyJson } from './pretty-json';
import styles from './audit.module.css';

/** An event as the log has it. Every amount in it is text, so that none was ever rounded. */
export function EventJson({ event }: { readonly event: EventDetails }) {
  const { actorName: _name, from: _from, personalData: _personal, ...stored } = event;
  const text = prettyJson(stored);
  return (
    <details className={`${styles.part} ${styles.json ?? ''}`}>
      <summary className="label">JSON</summary>
      <Copy text={text} what="JSON" />
      <pre tabIndex={0} aria-label="JSON of the event">
        {text}
      </pre>
    </details>
  );
}
