import { Menu } from '@mantine/core';
import ListFilter from 'lucide-react/icons/list-filter';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { FilterChip, isFocusLost, listAct, MenuButton } from '../../ui';
import { choices, labels, viewOf, withFilter, type FilterName } from './filter';
import styles from './request-list.module.css';

/** What a list is narrowed by, each to be removed, and the menu of what it can be narrowed by besides. */
export function Filters({ names }: { readonly names: readonly FilterName[] }) {
  const [search, setSearch] = useSearchParams();
  const view = viewOf(search);
  const unset = names.filter((name) => view[name] === undefined);
  const { bar, used } = useFocusKept(search);
  const set = (name: FilterName, value?: string) => {
    used();
    setSearch(withFilter(search, name, value));
  };
  return (
    <div ref={bar} className={styles.filters}>
      {names.map(
        (name) =>
          view[name] !== undefined && (
            <FilterChip key={name} label={labels[name]} value={view[name]} onRemove={() => set(name)} />
          ),
      )}
      {unset.length > 0 && (
        <MenuButton
          trigger={
            <>
              <ListFilter className="icon small" /> Add filter
            </>
          }
          className={listAct}
          align="start"
        >
          {unset.map((name, group) => (
            <div key={name} role="group" aria-label={labels[name]}>
              <Menu.Label aria-hidden="true">{labels[name]}</Menu.Label>
              {choices[name].map((value, at) => (
                <Menu.Item
                  key={value}
                  data-autofocus={group + at === 0 || undefined}
                  onClick={() => set(name, value)}
                >
                  {value}
                </Menu.Item>
              ))}
            </div>
          ))}
        </MenuButton>
      )}
    </div>
  );
}

/** A filter that is set or removed takes its button with it: the focus goes to the last one that is left. */
function useFocusKept(search: URLSearchParams) {
  const bar = useRef<HTMLDivElement>(null);
  const wasUsed = useRef(false);
  useEffect(() => {
    if (!wasUsed.current) return;
    wasUsed.current = false;
    if (isFocusLost()) [...(bar.current?.querySelectorAll('button') ?? [])].at(-1)?.focus();
  }, [search]);
  return { bar, used: () => (wasUsed.current = true) };
}
