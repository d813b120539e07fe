import { LRUCache } from 'lru-cache';
import type { Folded } from './fold.js';
import { commandBytes } from './processed-commands.js';

/** Memory that states take when nothing else is set, in MiB. */
export const STATE_CACHE_MIB = 128;
const MIB = 1_024 * 1_024;
/** What keeping a stream takes beside its state and its commands: the entry, its name and chain. */
const ENTRY_BYTES = 500;
/** A state of an aggregate that doesn't tell how large it is: those that stay small. */
const STATE_BYTES = 500;

/** The states of one aggregate that are in memory. */
export type StatesInMemory<S> = {
  get(stream: string): Folded<S> | undefined;
  set(stream: string, folded: Folded<S>): void;
};

/**
 * The folded streams that are in memory, of all aggregates that share it. What was used longest ago goes first. One state
 * that is larger than all that may be kept stays until another one is used: without it, every command to its stream would
 * fold the stream again.
 */
export type StateCache = {
  /** A part for one aggregate; `sizeOf` is roughly how many bytes a state takes. */
  partOf<S>(sizeOf?: (state: S) => number): StatesInMemory<S>;
  /** Bytes that the states take by this count. */
  bytes(): number;
};

type Slot = { readonly stream: string; readonly part: { delete(stream: string): boolean } };
type SlotOf<S> = Slot & { folded: Folded<S> };

/** A cache that holds so many bytes of states. */
export function createStateCache({
  bytes = STATE_CACHE_MIB * MIB,
}: { readonly bytes?: number | undefined } = {}): StateCache {
  const all = new LRUCache<Slot, object>({
    maxSize: bytes,
    noDisposeOnSet: true,
    dispose: (_, { part, stream }) => part.delete(stream),
  });
  return {
    partOf<S>(sizeOf: (state: S) => number = () => STATE_BYTES): StatesInMemory<S> {
      const part = new Map<string, SlotOf<S>>();
      return {
        get(stream) {
          const slot = part.get(stream);
          // Asked for, so that it counts as used.
          if (slot !== undefined) all.get(slot);
          return slot?.folded;
        },
        set(stream, folded) {
          let slot = part.get(stream);
          if (slot === undefined) part.set(stream, (slot = { stream, part, folded }));
          else slot.folded = folded;
          const size = ENTRY_BYTES + commandBytes(folded.commands) + sizeOf(folded.state);
          all.set(slot, folded, { size: Math.min(Math.ceil(size), bytes) });
        },
      };
    },
    bytes: () => all.calculatedSize,
  };
}
