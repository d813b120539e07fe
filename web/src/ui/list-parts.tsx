import X from 'lucide-react/icons/x';
import styles from './list-parts.module.css';

/** How what is done with a list looks above it, alone and with a border. */
export const listAct = styles.act;
export const outlinedListAct = `${styles.act ?? ''} ${styles.outlined ?? ''}`;

type ChipProps = {
  readonly label: string;
  readonly value: string;
  /** All of a value that is shown shortly. */
  readonly title?: string;
  readonly onRemove: () => void;
};

/** What a list is narrowed by, to be removed. */
export function FilterChip({ label, value, title, onRemove }: ChipProps) {
  return (
    <span className={styles.chip} title={title}>
      {label}: {value}
      <button type="button" aria-label={`Remove filter ${label}: ${value}`} onClick={onRemove}>
        <X className="icon small" />
      </button>
    </span>
  );
}

type NewRowsProps = {
  /** How many new rows wait to be let in; nothing is shown where none does. */
  readonly count: string;
  readonly onShow: () => void;
};

/** The way to the new rows of a list, which is told when they come. */
export function NewRows({ count, onShow }: NewRowsProps) {
  return (
    <span role="status">
      {count !== '' && (
        <button type="button" className={styles.news} onClick={onShow}>
          {count} new
        </button>
      )}
    </span>
  );
}
