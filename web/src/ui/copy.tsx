import CopyIcon from 'lucide-react/icons/copy';
import { notifyInfo, notifyWarning } from './notify';
import styles from './copy.module.css';

type Props = {
  readonly text: string;
  /** What it is, for whoever can't see what the button stands beside. */
  readonly what: string;
};

/** Puts a text on the clipboard. */
export function Copy({ text, what }: Props) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notifyInfo(`${what} copied`);
    } catch {
      // Where the page is not served over TLS, browsers have no clipboard for it.
      notifyWarning('This browser doesn’t let us copy. Select the text instead.');
    }
  };
  return (
    <button type="button" className={styles.copy} aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <CopyIcon className="icon small" />
    </button>
  );
}
