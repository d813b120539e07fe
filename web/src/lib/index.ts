export { formatBytes } from './bytes';
export { currentDisplay, keepDisplay, restoreDisplay, setDisplay, useDisplay } from './display';
export { newKey } from './key';
export { underLock } from './lock';
export {
  addMoney,
  displayMoney,
  displayPrice,
  exactMoney,
  grouped,
  isAbove,
  isAmount,
  isZero,
  plainAmount,
  signedMoney,
} from './money';
export { shortId } from './short';
export { formatAge, formatAgo, formatDate, formatTime } from './time';
export { useKey } from './use-key';
export { useNow } from './use-now';
export { useTitle } from './use-title';
