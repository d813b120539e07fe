import type { ReactNode } from 'react';
import type { FundRequestView, OpenRequest, TransferView, WithdrawalView } from '#contracts';
import type { ApiError, DownloadFile, Failure } from '../../api';
import type { FilterName, ListView } from './filter';

/** A request of any kind. */
export type AnyRequest = FundRequestView | WithdrawalView | TransferView;

/** What a row needs to know of a request. */
export type Listed = Pick<AnyRequest, 'id' | 'createdAt' | 'amount' | 'status' | 'closed' | 'customer'>;

export type Page<Request> = {
  readonly items: readonly Request[];
  readonly first: number;
  readonly next: string | null;
  readonly previous: string | null;
};

/** Whose requests, which of them, from where and how many; without a `userId` everybody's, which only admins may ask. */
export type Asked = ListView & { readonly userId?: string | undefined; readonly limit: number };

/**
 * Where a column stands on a phone, whose rows are who or what and how much, then up to two columns of `more`, then date and
 * status.
 */
export type Place = 'lead' | 'figure' | 'more';

export type Column<Request> = {
  readonly head: string;
  readonly place: Place;
  /** Of what is not there yet. */
  readonly width: string;
  readonly cell: (request: Request) => ReactNode;
};

/** What can be asked for page by page. */
export type Pages<Item> = {
  /** Asks for a page; used as a hook. */
  readonly usePage: (asked: Asked) => {
    readonly data?: Page<Item> | undefined;
    readonly error?: Failure;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
};

/** Whose requests are taken away as a file, and which of them: all, not a page. */
export type Taken = Omit<Asked, 'cursor' | 'limit'>;

/** What the lists of one kind of requests have of their own. */
export type Kind<Request extends Listed> = Pages<Request> & {
  /** What one of them is called where there are all kinds; undefined for all kinds together. */
  readonly name: OpenRequest['kind'] | undefined;
  readonly take: (download: DownloadFile, asked: Taken) => Promise<ApiError | undefined>;
  /** What can be filtered by, in the order of the menu. */
  readonly filters: readonly FilterName[];
  /** Between when it was asked for and how it stands. */
  readonly columns: readonly Column<Request>[];
  /** Stands beside how an open one stands, where it is decided. */
  readonly besideStatus?: (request: Request) => ReactNode;
};
