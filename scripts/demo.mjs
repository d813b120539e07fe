// Runs Lode on a throw-away folder with customers, requests and a history.
import { become, fail, prepare } from './lib/toolchain.mjs';

try {
  become(await prepare(), 'services/lode/demo.js');
} catch (error) {
  fail(error);
}
