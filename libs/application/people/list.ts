import { person, type PersonPage, type PersonView } from '#contracts';
import { searchKey, withEveryBalance, type AccountDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import { readPage, wholeInstants, type PageAsked } from '../paging.js';
import type { Ports } from '../ports.js';
import { spendingOf } from '../wallet/account-view.js';
import { Query } from '../message.js';

/** Who is asked for, and which page of them. */
type Filter = PageAsked & {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly role?: string | undefined;
};

/** Matches of one index that a search looks at, at most; those of another status or role are left out of them. */
const MATCHES_MAX = 1_000;
/** Matches that are read at a time: most searches are answered by the first few. */
const MATCHES_AT_ONCE = 50;
/** No text that begins with a key comes after the key with this at its end. */
const LAST_CHARACTER = '\u{10ffff}';

/** One page of people, newest first; a search gives its best matches, on one page. */
export class ListPeople extends Query<PersonPage> {
  constructor(readonly filter: Filter) {
    super();
  }
}

export class ListPeopleHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  execute({ filter }: ListPeople): Promise<PersonPage> {
    const { readStore } = this.parts;
    return filter.search === undefined
      ? pageOfPeople(readStore, filter)
      : search(readStore, filter.search, filter);
  }
}

function personView(document: AccountDocument): PersonView {
  return person.parse({ ...withEveryBalance(document), ...spendingOf(document) });
}

async function pageOfPeople(store: ReadStoreReader, filter: Filter): Promise<PersonPage> {
  const { role, status } = filter;
  // A status is one of customers, unless it is asked for admins.
  const equals: Record<string, string> =
    status === undefined ? (role === undefined ? {} : { role }) : { role: role ?? 'user', status };
  const index = status === undefined ? (role === undefined ? 'created' : 'role') : 'status';
  const page = await readPage(
    { ...filter, ...wholeInstants(filter), index, equals },
    (one) => store.list<AccountDocument>('accounts', one),
    ['created', 'id'],
  );
  return { ...page, items: page.items.map(personView) };
}

type SearchIndex = (typeof by)[keyof typeof by];

/** The indexes that people are found by, each with the field that gives its order. */
const by = {
  number: { name: 'number', field: 'accountNumber' },
  email: { name: 'email', field: 'emailKey' },
  name: { name: 'name', field: 'nameKey' },
  lastname: { name: 'lastname', field: 'lastnameKey' },
} as const;

/** Where a text may be the beginning of what people are found by. */
function indexesFor(key: string): readonly SearchIndex[] {
  if (/^\d+$/.test(key)) return [by.number];
  return key.includes('@') ? [by.email] : [by.name, by.lastname, by.email];
}

async function search(store: ReadStoreReader, text: string, filter: Filter): Promise<PersonPage> {
  const key = searchKey(text);
  const found = new Map<string, AccountDocument>();
  for (const index of indexesFor(key)) {
    for await (const match of matchesIn(store, index, key)) {
      if (isAsked(match, filter)) found.set(match.userId, match);
      if (found.size >= filter.limit) break;
    }
    if (found.size >= filter.limit) break;
  }
  const items = [...found.values()].slice(0, filter.limit).map(personView);
  return { items, first: 1, next: null, previous: null };
}

/** Those whose key in an index begins with a text, in the order of the keys. */
async function* matchesIn(store: ReadStoreReader, { name, field }: SearchIndex, key: string) {
  let after: readonly string[] | undefined;
  for (let seen = 0; seen < MATCHES_MAX; seen += MATCHES_AT_ONCE) {
    const matches = await store.list<AccountDocument>('accounts', {
      index: name,
      equals: {},
      direction: 'ascending',
      from: key,
      to: key + LAST_CHARACTER,
      limit: MATCHES_AT_ONCE,
      ...(after === undefined ? {} : { after }),
    });
    yield* matches;
    const last = matches.at(-1);
    if (last === undefined || matches.length < MATCHES_AT_ONCE) return;
    after = [last[field], last.id];
  }
}

function isAsked(account: AccountDocument, { role, status, ...asked }: Filter): boolean {
  const { from, to } = wholeInstants(asked);
  return (
    (role === undefined || account.role === role) &&
    (status === undefined || account.status === status) &&
    (from === undefined || account.created >= from) &&
    (to === undefined || account.created < to)
  );
}
