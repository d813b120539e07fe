export { Dialog } from './dialog';
export { Logo, Mark } from './logo';
export { Menu, type MenuGroup } from './menu';
export { LoadFailed, Notice } from './notice';
export { notifyError, notifySuccess } from './notify';
export { Skeleton } from './skeleton';
export { Status } from './status';
export { Pager } from './pager';
export { When } from './when';
