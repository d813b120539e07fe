// What the product was specified to be, line by line, each with the tests that hold it. `npm test` holds them against what ran.
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
