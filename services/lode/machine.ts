import { getHeapStatistics } from 'node:v8';
import { LodeError } from '#kernel';
import { descriptorsAllowed } from '../api/index.js';

/** Files, sockets and threads that a program has open before it takes a connection, with as many again to spare. */
const DESCRIPTORS_MIN = 128;
const MIB = 1_024 * 1_024;
/** Memory that JavaScript's objects may take: with less a start doesn't get through. `--max-old-space-size=64` gives it. */
const HEAP_MIB_MIN = 256;

/** Refuses, in a sentence that says what to do, a process that is too small for Lode: it would die of it later. */
export function refuseSmallProcess(): void {
  const heap = Math.floor(getHeapStatistics().heap_size_limit / MIB);
  if (heap < HEAP_MIB_MIN)
    throw new LodeError(
      'unavailable',
      `Node may use ${heap} MiB of memory for its heap, and Lode needs ${HEAP_MIB_MIN} at least: leave --max-old-space-size out of NODE_OPTIONS, or raise it.`,
    );
  const descriptors = descriptorsAllowed();
  if (descriptors < DESCRIPTORS_MIN)
    throw new LodeError(
      'unavailable',
      `This process may have ${descriptors} files open at a time, and Lode needs ${DESCRIPTORS_MIN} at least: raise the limit (ulimit -n, or LimitNOFILE of the service).`,
    );
}
