import { createMemoryBell, type BellRoom } from '#bell/memory';
import { describeBell } from '#bell/contract';
import { systemTimers } from '#kernel';

describeBell('in one process', async () => {
  const rooms: readonly [BellRoom, BellRoom] = [new Set(), new Set()];
  return {
    open: async () => createMemoryBell(systemTimers, rooms[0]),
    openOther: async () => createMemoryBell(systemTimers, rooms[1]),
    cleanUp: async () => rooms.forEach((room) => room.clear()),
  };
});
