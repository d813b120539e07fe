import { later } from '../../ui';

/** A page as it would be, whose code comes once it is looked at. */
export const PreviewPane = later(() => import('./preview-pane'));
