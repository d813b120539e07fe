import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

type Values<Name extends string> = Readonly<Partial<Record<Name, string>>>;

const CURSOR = 'cursor';

/**
 * What the address says of a list: its filters by name, and `cursor`, its place. `set` changes some, where undefined takes
 * one away; a list that is narrowed otherwise begins anew. `names` has to be the same list each time.
 */
export function useAddress<const Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const values = useMemo(() => {
    const given = [...names, CURSOR].flatMap((name) => {
      const value = search.get(name) ?? '';
      return value === '' ? [] : [[name, value] as const];
    });
    return Object.fromEntries(given) as Values<Name | typeof CURSOR>;
  }, [names, search]);
  const set = (changes: { readonly [One in Name | typeof CURSOR]?: string | undefined }) => {
    const next = new URLSearchParams(search);
    next.delete(CURSOR);
    for (const [name, value] of Object.entries<string | undefined>(changes)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    setSearch(next);
  };
  return { values, set };
}
