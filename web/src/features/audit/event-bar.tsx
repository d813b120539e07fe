import { Menu } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import Columns3 from 'lucide-react/icons/columns-3';
import Download from 'lucide-react/icons/download';
import { useSearchParams } from 'react-router';
import { adminRoutes, detailOf, isSessionOver, useDownload } from '../../api';
import { listAct, MenuButton, NewRows, notifyError, outlinedListAct, Segments } from '../../ui';
import { Chips } from './chips';
import { columns, columnsOf, columnsText } from './columns';
import { withParameters, type EventFilter, type FilterName } from './filter';
import styles from './audit.module.css';

const views = ['pages', 'all'] as const;
const captions = { pages: 'Pages', all: 'All in one list' } as const;

function ColumnChoice({ atFirst }: { readonly atFirst: readonly string[] }) {
  const [search, setSearch] = useSearchParams();
  const shown = columnsOf(search, atFirst).map(({ key }) => key);
  const toggle = (key: string) => {
    const keys = shown.includes(key) ? shown.filter((one) => one !== key) : [...shown, key];
    setSearch(withParameters(search, { columns: columnsText(keys, atFirst) }), { replace: true });
  };
  return (
    <MenuButton
      trigger={
        <>
          <Columns3 className="icon small" /> Columns
        </>
      }
      className={listAct}
      align="end"
    >
      {columns
        .filter(({ key }) => key !== 'type')
        .map(({ key, head }) => (
          <Menu.Item
            key={key}
            closeMenuOnClick={false}
            leftSection={
              <Check className="icon small" visibility={shown.includes(key) ? 'visible' : 'hidden'} />
            }
            onClick={() => toggle(key)}
          >
            {head}
            {shown.includes(key) && <span className="visually-hidden">, shown</span>}
          </Menu.Item>
        ))}
    </MenuButton>
  );
}

/** Takes what the filter finds away, all pages of it and in the order in which it is shown. */
function ExportMenu({ filter }: { readonly filter: EventFilter }) {
  const [download, isUnderWay] = useDownload();
  const take = async (name: string, accept: 'text/csv' | 'application/x-ndjson') => {
    if (isUnderWay) return;
    const refused = await download(adminRoutes.events, filter, name, accept);
    if (refused !== undefined && !isSessionOver(refused))
      notifyError(detailOf(refused) ?? 'The file could not be made. Try again.');
  };
  return (
    <MenuButton
      trigger={
        <>
          <Download className="icon small" /> {isUnderWay ? 'Please wait' : 'Export'}
        </>
      }
      className={outlinedListAct}
      align="end"
    >
      <Menu.Item onClick={() => void take('events.ndjson', 'application/x-ndjson')}>
        NDJSON, as the log has it
      </Menu.Item>
      <Menu.Item onClick={() => void take('events.csv', 'text/csv')}>CSV, for a spreadsheet</Menu.Item>
    </MenuButton>
  );
}

type Props = {
  readonly filter: EventFilter;
  readonly names: readonly FilterName[];
  /** The columns that it begins with. */
  readonly atFirst: readonly string[];
  readonly fresh: string;
  readonly onShowNew: () => void;
};

/** What stands above a list of events: its filters, its new rows, how it is shown, and all of it as a file. */
export function EventBar({ filter, names, atFirst, fresh, onShowNew }: Props) {
  const [search, setSearch] = useSearchParams();
  return (
    <div className={styles.bar}>
      <Chips names={names} />
      <span className={styles.grow} />
      <NewRows count={fresh} onShow={onShowNew} />
      <Segments
        label="Shown as"
        values={views}
        value={search.get('view') === 'all' ? 'all' : 'pages'}
        captions={captions}
        onChange={(view) =>
          setSearch(
            withParameters(search, {
              view: view === 'all' ? view : undefined,
              cursor: undefined,
              jump: undefined,
            }),
          )
        }
      />
      <ColumnChoice atFirst={atFirst} />
      <ExportMenu filter={filter} />
    </div>
  );
}
