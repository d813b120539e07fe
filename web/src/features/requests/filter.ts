import {
  paymentChoices,
  type OpenRequest,
  type PaymentCurrency,
  type RequestStatus,
  type TransferView,
} from '#contracts';

const statuses: readonly RequestStatus[] = ['Pending', 'confirmed', 'rejected'];
const kinds: readonly OpenRequest['kind'][] = ['Funding', 'withdrawal', 'transfer'];
const transferTypes: readonly TransferView['transferType'][] = ['local', 'international'];

/** What lists can be filtered by. */
export const choices = {
  kind: kinds,
  status: statuses,
  currency: paymentChoices,
  transferType: transferTypes,
} as const;
export type FilterName = keyof typeof choices;
export const labels: Readonly<Record<FilterName, string>> = {
  kind: 'Kind',
  status: 'Status',
  currency: 'Paid in',
  transferType: 'Type',
};

export type ListView = {
  readonly kind?: OpenRequest['kind'] | undefined;
  readonly status?: RequestStatus | undefined;
  readonly currency?: PaymentCurrency | undefined;
  readonly transferType?: TransferView['transferType'] | undefined;
  readonly cursor?: string | undefined;
};

/** The list that an address asks for; words that aren't ours are not passed on. */
export function viewOf(search: URLSearchParams): ListView {
  return {
    kind: kinds.find((kind) => kind === search.get('kind')),
    status: statuses.find((status) => status === search.get('status')),
    currency: paymentChoices.find((currency) => currency === search.get('currency')),
    transferType: transferTypes.find((type) => type === search.get('transferType')),
    cursor: search.get('cursor') ?? undefined,
  };
}

/** The address with a filter set or, without a value, taken away. Another filter is another list: it starts at its top. */
export function withFilter(search: URLSearchParams, name: FilterName, value?: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('cursor');
  if (value === undefined) next.delete(name);
  else next.set(name, value);
  return next;
}

/** The request that an address opens, beside whatever the list shows. */
export function requestIn(search: URLSearchParams): string | null {
  return search.get('request');
}

/** The address of the list alone. */
export function withoutRequest(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('request');
  return next;
}

/** The address of another page of the same list. */
export function withCursor(search: URLSearchParams, cursor: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set('cursor', cursor);
  return next;
}
