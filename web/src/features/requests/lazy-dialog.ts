import { later } from '../../ui';

/** The dialog of a request; its code comes with the first request that is opened, and the page stays meanwhile. */
export const RequestDialog = later(() => import('./request-dialog'));
