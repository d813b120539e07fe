import { useAddress } from '../../lib';
import { DataList, When, type DataColumn } from '../../ui';
import { changesOf, type SettingItem, type SettingPart } from './changes';
import { useHistory } from './use-history';
import styles from './setting-history.module.css';

/** Not the `cursor` of another list on the same screen. */
const names = ['changes'] as const;

function Changes({ item }: { readonly item: SettingItem }) {
  return (
    <ul className={styles.changes}>
      {changesOf(item).map(({ name, from, to }) => (
        <li key={name}>
          <span className="soft">{name}</span> <span className={styles.value}>{from ?? 'earlier'}</span>
          <span className="faint" aria-hidden="true">
            {' → '}
          </span>
          <span className="visually-hidden">became</span> <b className={styles.value}>{to}</b>
        </li>
      ))}
    </ul>
  );
}

const columns: readonly DataColumn<SettingItem>[] = [
  { head: 'Changed', place: 'date', width: '14ch', cell: ({ at }) => <When iso={at} /> },
  { head: 'By', place: 'lead', width: '12ch', cell: ({ actor }) => actor.name },
  { head: 'From and to', place: 'more', width: '28ch', cell: (item) => <Changes item={item} /> },
  { head: 'Reason', place: 'more', width: '16ch', cell: ({ reason }) => reason ?? '' },
];

/** Who changed a part of the settings when, from what to what and why, newest first. */
export function SettingHistory({ part }: { readonly part: SettingPart }) {
  const { values, set } = useAddress(names);
  const history = useHistory(part, values.changes);
  return (
    <DataList
      label="History of changes"
      columns={columns}
      {...history}
      onGo={(changes) => set({ changes })}
      skeletonRows={3}
    />
  );
}
