import { later } from '../../ui';

/** The dialog about requests that were selected; its code comes with the first that is opened. */
export const BulkDialog = later(() => import('./bulk-dialog'));

/** The dialog about one request, which is asked for by itself; its code comes with the first that is opened. */
export const NamedRequest = later(() => import('./named-request'));
