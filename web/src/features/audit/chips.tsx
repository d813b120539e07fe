import { Button, NativeSelect, TextInput } from '@mantine/core';
import ListFilter from 'lucide-react/icons/list-filter';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatTime, shortId } from '../../lib';
import { FilterChip, listAct } from '../../ui';
import { faultOf, filterOf, isTime, labels, withFilter, type FilterName } from './filter';
import { submitted } from './submitted';
import styles from './audit.module.css';

const LONG = 26;

function shown(name: FilterName, value: string): string {
  if (isTime(name)) return formatTime(value);
  return name === 'types' || value.length <= LONG ? value : shortId(value, 14, 6);
}

type AddProps = {
  readonly names: readonly FilterName[];
  readonly onAdd: (name: FilterName, value: string) => void;
  readonly onClose: () => void;
};

/** One more filter: by what, and what it has to be. */
function AddFilter({ names, onAdd, onClose }: AddProps) {
  const [name, setName] = useState<FilterName>(names[0] ?? 'type');
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const add = () => {
    // A field for times gives them in UTC here, as it says.
    const value = isTime(name) && text !== '' ? `${text.length === 16 ? `${text}:00` : text}Z` : text.trim();
    const wrong = faultOf(name, value);
    if (wrong === undefined) onAdd(name, value);
    else setFault(wrong);
  };
  return (
    <form
      className={`card ${styles.adding}`}
      aria-label="Add filter"
      noValidate
      onSubmit={submitted(add)}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <NativeSelect
        label="Filter by"
        value={name}
        data={names.map((one) => ({ value: one, label: labels[one] }))}
        onChange={({ currentTarget: { value } }) => {
          setName(names.find((one) => one === value) ?? name);
          setText('');
          setFault(undefined);
        }}
      />
      <TextInput
        label={isTime(name) ? `${labels[name]}, in UTC` : labels[name]}
        type={isTime(name) ? 'datetime-local' : 'text'}
        step={isTime(name) ? 1 : undefined}
        autoComplete="off"
        spellCheck={false}
        value={text}
        error={fault}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          setFault(undefined);
        }}
      />
      <div className={styles.addingActs}>
        <Button type="submit" size="sm">
          Add
        </Button>
        <Button variant="default" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** What events are narrowed by, each to be removed, and the way to narrow them further. */
export function Chips({ names }: { readonly names: readonly FilterName[] }) {
  const [search, setSearch] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const filter = filterOf(search);
  const unset = names.filter((name) => filter[name] === undefined);
  return (
    <>
      {names.map((name) => {
        const value = filter[name];
        if (value === undefined) return null;
        return (
          <FilterChip
            key={name}
            label={labels[name]}
            value={shown(name, value)}
            title={value}
            onRemove={() => setSearch(withFilter(search, name))}
          />
        );
      })}
      {unset.length > 0 && (
        <button
          type="button"
          className={listAct}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          <ListFilter className="icon small" /> Add filter
        </button>
      )}
      {isAdding && (
        <AddFilter
          key={unset.join()}
          names={unset}
          onAdd={(name, value) => {
            setAdding(false);
            setSearch(withFilter(search, name, value));
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
