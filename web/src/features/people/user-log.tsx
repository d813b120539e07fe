import { Button, TextInput } from '@mantine/core';
import Search from 'lucide-react/icons/search';
import { useState, type ReactNode } from 'react';
import type { PersonView } from '#contracts';
import { adminRoutes, detailOf } from '../../api';
import { useAddress } from '../../lib';
import { DataList, Notice, Segments, When, type DataColumn } from '../../ui';
import { CsvButton } from '../csv';
import { AccountStatusWord, statusNames, type AccountStatus } from './account-status';
import { usePeopleQuery } from './api';
import styles from './people.module.css';

const names = ['search', 'status'] as const;
const all = 'all';
const statuses = ['active', 'suspended', 'closed'] as const;
const choices: readonly (AccountStatus | typeof all)[] = [all, ...statuses];
const captions = { all: 'All', ...statusNames } as const;

type Row = PersonView & { readonly serial: number };

function nameOf({ firstname, lastname }: PersonView): string {
  return `${firstname} ${lastname}`.trim();
}

const columns: readonly DataColumn<Row>[] = [
  { head: 'S/N', place: 'serial', width: '2ch', cell: ({ serial }) => serial },
  { head: 'Created', place: 'date', width: '14ch', cell: ({ created }) => <When iso={created} /> },
  {
    head: 'Name',
    place: 'lead',
    width: '14ch',
    cell: (one) => (
      <>
        {nameOf(one)}
        {one.role === 'admin' && <span className="mark">admin</span>}
      </>
    ),
  },
  { head: 'E-mail', place: 'more', width: '20ch', cell: ({ email }) => email },
  {
    head: 'Account number',
    place: 'figure',
    width: '10ch',
    cell: ({ accountNumber }) => accountNumber,
  },
  {
    head: 'Status',
    place: 'state',
    width: '8ch',
    cell: ({ status }) => <AccountStatusWord status={status} />,
  },
];

type Props = {
  /** What a row is opened for. */
  readonly word: string;
  readonly onOpen: (userId: string) => void;
  /** Customers alone. */
  readonly customersOnly?: boolean;
  /** Stands beside the search. */
  readonly action?: ReactNode;
};

/** Everybody, newest first, or those whom a search finds. What is looked for is in the address. */
export function UserLog({ word, onOpen, customersOnly = false, action }: Props) {
  const { values, set } = useAddress(names);
  const { search, cursor } = values;
  const status = statuses.find((one) => one === values.status);
  const asked = { search, status, ...(customersOnly && { role: 'user' as const }) };
  const { currentData, error, refetch } = usePeopleQuery({ ...asked, cursor });
  const page = currentData && {
    ...currentData,
    items: currentData.items.map((one, at) => ({ ...one, serial: currentData.first + at })),
  };
  return (
    <>
      <div className={styles.bar}>
        <SearchField key={search ?? ''} search={search} onSearch={(text) => set({ search: text })} />
        <Segments
          label="Status"
          values={choices}
          value={status ?? all}
          captions={captions}
          onChange={(chosen) => set({ status: chosen === all ? undefined : chosen })}
        />
        <div className={styles.beside}>
          <CsvButton
            isThere={(page?.items.length ?? 0) > 0}
            take={(download) => download(adminRoutes.people, asked, 'users.csv')}
          />
          {action}
        </div>
      </div>
      <DataList
        label="Users"
        columns={columns}
        page={page}
        keyOf={({ userId }) => userId}
        opens={{ word, name: nameOf, open: ({ userId }) => onOpen(userId) }}
        failure={error && { detail: detailOf(error), onRetry: () => void refetch() }}
        onGo={(to) => set({ cursor: to })}
        empty={
          <Notice title="No logs available.">
            {search === undefined
              ? 'Nobody is in this list.'
              : `Nobody’s name, e-mail or account number begins with “${search}”.`}
          </Notice>
        }
      />
    </>
  );
}

type SearchProps = {
  readonly search: string | undefined;
  readonly onSearch: (text: string | undefined) => void;
};

/** Looks when it is sent: each look for one person is written down as one. */
function SearchField({ search = '', onSearch }: SearchProps) {
  const [text, setText] = useState(search);
  const look = () => {
    const typed = text.trim();
    onSearch(typed === '' ? undefined : typed);
  };
  return (
    <div role="search" className={styles.search}>
      <TextInput
        label="Find a user"
        placeholder="Name, e-mail or account number"
        type="search"
        maxLength={100}
        value={text}
        leftSection={<Search className="icon small" />}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={({ key }) => key === 'Enter' && look()}
      />
      <Button variant="default" onClick={look}>
        Search
      </Button>
    </div>
  );
}
