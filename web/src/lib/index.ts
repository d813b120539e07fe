export { formatBytes } from './bytes';
export { underLock } from './lock';
export { addMoney, displayPrice, exactMoney, grouped, isZero, signedMoney } from './money';
export { shortId } from './short';
export { formatAge, formatTime } from './time';
export { useKey } from './use-key';
export { useNow } from './use-now';
export { useTitle } from './use-title';
