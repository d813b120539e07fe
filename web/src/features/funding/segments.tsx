import { useId } from 'react';
import styles from './segments.module.css';

type Props<Value extends string> = {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** One of a few, all in view: native radio buttons side by side. */
export function Segments<Value extends string>({ label, values, value, onChange }: Props<Value>) {
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
            <span>{one}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
