import { useId } from 'react';
import styles from './segments.module.css';

type Props<Value extends string> = {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** How a value is called, where its name won't do, and a figure that belongs to it. */
  readonly captions?: Readonly<Record<Value, string>>;
  readonly figures?: Readonly<Record<Value, string>> | undefined;
};

/** One of a few, all in view: native radio buttons side by side. */
export function Segments<Value extends string>({
  label,
  values,
  value,
  onChange,
  captions,
  figures,
}: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.field}>
      <legend className="lode-label">{label}</legend>
      <div className={styles.segments}>
        {values.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === value}
              onChange={() => onChange(one)}
            />
            <span>
              {captions?.[one] ?? one}
              {figures !== undefined && <small className="num">{figures[one]}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
