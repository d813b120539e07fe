export { formatBytes } from './bytes';
export { currentDisplay, keepDisplay, restoreDisplay, setDisplay } from './display';
export { draftOf, forgetDrafts, keepDraft } from './drafts';
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
export { pause } from './pause';
export { shortId } from './short';
export { dayIn, formatAge, formatAgo, formatDate, formatTime } from './time';
export { useDisplay } from './use-display';
export { useKey, type FormKey } from './use-key';
export { useNow } from './use-now';
export { useTitle } from './use-title';
