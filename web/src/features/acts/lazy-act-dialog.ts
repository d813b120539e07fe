import { later } from '../../ui';

/** The dialog of an act; its code comes with the first that is opened, and the page stays meanwhile. */
export const ActDialog = later(() => import('./act-dialog'));
