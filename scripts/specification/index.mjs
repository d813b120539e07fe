// The product's specification, line by line, each with the tests that show it. `node scripts/spec-coverage.mjs` checks that
// the tests exist; a complete run checks that they passed.
import { adminSafety } from './admin-safety.mjs';
import { adminScreens } from './admin-screens.mjs';
import { messages } from './messages.mjs';
import { publicScreens } from './public-screens.mjs';
import { rules } from './rules.mjs';
import { walletScreens } from './wallet-screens.mjs';

export const lines = [
  ...publicScreens,
  ...walletScreens,
  ...adminScreens,
  ...adminSafety,
  ...rules,
  ...messages,
];
