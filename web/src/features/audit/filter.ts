/** What events are found by, in the address as in the API. */
export const filterNames = [
  'type',
  'types',
  'stream',
  'person',
  'actor',
  'requestId',
  'correlationId',
  'commandId',
  'from',
  'to',
] as const;
export type FilterName = (typeof filterNames)[number];
export type EventFilter = { readonly [Name in FilterName]?: string };

export const labels: Readonly<Record<FilterName, string>> = {
  type: 'Type',
  types: 'Types',
  stream: 'Stream',
  person: 'Person',
  actor: 'Actor',
  requestId: 'Request',
  correlationId: 'Correlation',
  commandId: 'Command',
  from: 'Since',
  to: 'Until',
};

/** What a value of a filter has to look like, as the contract says, and what to say where it doesn't. */
const shapes: Readonly<Record<FilterName, { readonly is: RegExp; readonly says: string }>> = {
  type: { is: /^[A-Za-z0-9-]{1,100}$/, says: 'Enter the name of an event, such as FundingConfirmed.' },
  types: {
    is: /^[A-Za-z]{1,60}(?:,[A-Za-z]{1,60}){0,63}$/,
    says: 'Enter names of events, parted by commas.',
  },
  stream: {
    is: /^[a-z]{1,20}(?:-[A-Za-z0-9-]{1,64})?$/,
    says: 'Enter the name of a stream, such as settings-global.',
  },
  person: { is: /^[A-Za-z0-9-]{1,64}$/, says: 'Enter the id of a person.' },
  actor: { is: /^[A-Za-z0-9-]{1,100}$/, says: 'Enter the id of whoever did it.' },
  requestId: { is: /^[A-Za-z0-9]{34}$/, says: 'Enter the 34 letters and digits of a request.' },
  correlationId: { is: /^[A-Za-z0-9-]{1,100}$/, says: 'Enter a correlation id.' },
  commandId: { is: /^[A-Za-z0-9-]{1,100}$/, says: 'Enter a command id.' },
  from: { is: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, says: 'Enter a time such as 2026-01-31T12:00:00Z.' },
  to: { is: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, says: 'Enter a time such as 2026-01-31T12:00:00Z.' },
};

/** Why a text is no value of a filter; undefined when it is one. */
export function faultOf(name: FilterName, value: string): string | undefined {
  const { is, says } = shapes[name];
  return is.test(value) && (!isTime(name) || !Number.isNaN(Date.parse(value))) ? undefined : says;
}

export function isTime(name: FilterName): boolean {
  return name === 'from' || name === 'to';
}

/** The filter that an address asks for; what is none of ours is not passed on. */
export function filterOf(search: URLSearchParams, names: readonly FilterName[] = filterNames): EventFilter {
  const set = names.flatMap((name) => {
    const value = search.get(name);
    return value === null || faultOf(name, value) !== undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(set);
}

/** The page of the list and the event beside it belong to one filter. */
const ofOneList = ['cursor', 'event', 'jump'];

/** The address with a filter set or, without a value, taken away: another list, which starts at its top. */
export function withFilter(search: URLSearchParams, name: FilterName, value?: string): URLSearchParams {
  return withParameters(search, { ...emptied, [name]: value });
}

const emptied = Object.fromEntries(ofOneList.map((name) => [name, undefined]));

/** The address with some of its parameters changed, or taken away. */
export function withParameters(
  search: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
