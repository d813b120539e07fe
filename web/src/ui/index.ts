import { lazy } from 'react';

export { Copy, Copyable, copyText } from './copy';
export { Dialog } from './dialog';
export { AmountInput } from './amount-input';
export { Form, FormActs } from './form';
export { Logo, Mark } from './logo';
export { MenuButton } from './menu-button';
export { NextSteps } from './next-steps';
export { ListCard } from './list-card';
export { LoadFailed, Notice } from './notice';
export { notify, notifyError, notifyInfo, notifySuccess, notifyWarning } from './notify';
export { Qr } from './qr';
export { Segments } from './segments';
export { Skeleton } from './skeleton';
export { Sum } from './sum';
export { Status, type StatusShown } from './status';
export { Pager } from './pager';
export { cssVariablesResolver, theme } from './theme';
/** Their code is asked for once the first screen is. */
export const Toasts = lazy(() => import('./toasts'));
export { useFocusAfter } from './use-focus-after';
export { isFocusLost, useFocusBack } from './use-focus-back';
export { forgetTold, useTold } from './told';
export { Ago, When } from './when';
