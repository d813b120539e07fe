import CopyIcon from 'lucide-react/icons/copy';
import { notifyInfo, notifyWarning } from './notify';
import styles from './copy.module.css';

type Props = {
  readonly text: string;
  /** What it is, for whoever can't see what the button stands beside. */
  readonly what: string;
};

/** Puts a text on the clipboard and says so, also to those who don't see it. */
export async function copyText({ text, what }: Props): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifyInfo(`${what} copied`);
  } catch {
    // Where the page is not served over TLS, browsers have no clipboard for it.
    notifyWarning('This browser doesn’t let us copy. Select the text instead.');
  }
}

/** The button that puts a text on the clipboard. */
export function Copy({ text, what }: Props) {
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={`Copy ${what}`}
      onClick={() => void copyText({ text, what })}
    >
      <CopyIcon className="icon small" />
    </button>
  );
}

/** An id or address within other text, with the button that copies it; `shown` where it is written shorter or in groups. */
export function Copyable({ text, what, shown = text }: Props & { readonly shown?: string }) {
  return (
    <span className={styles.copyable}>
      <span className="code" title={shown === text ? undefined : text}>
        {shown}
      </span>
      <Copy text={text} what={what} />
    </span>
  );
}
