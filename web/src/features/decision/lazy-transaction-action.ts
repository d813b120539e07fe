import { later } from '../../ui';

/** The dialog in which a request is decided; its code comes with the first that is opened. */
export const TransactionAction = later(() => import('./transaction-action'));
