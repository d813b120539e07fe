export { formatBytes } from './bytes';
export { currencies, isCurrency } from './currencies';
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
export { hasSingleKeys, isSingleKey, setSingleKeys } from './single-keys';
export { capitalized, shortId } from './words';
export { dayIn, formatAge, formatAgo, formatDate, formatTime } from './time';
export { trailOf, type Trail } from './trail';
export { useAddress } from './use-address';
export { useDisplay } from './use-display';
export { useKey, type FormKey } from './use-key';
export { useMedia } from './use-media';
export { useNow } from './use-now';
export { useTitle } from './use-title';
