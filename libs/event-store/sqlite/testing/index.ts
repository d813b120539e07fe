export { canMount, mountReadOnly, mountTmpfs } from './tmpfs.js';
export { readWal, type WalFrame } from './wal.js';
