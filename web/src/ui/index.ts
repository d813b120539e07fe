export { Dialog } from './dialog';
export { Logo, Mark } from './logo';
export { LoadFailed, Notice } from './notice';
export { notifyError, notifySuccess } from './notify';
export { Skeleton } from './skeleton';
export { Status } from './status';
export { cssVariablesResolver, theme } from './theme';
export { Pager } from './pager';
export { When } from './when';
