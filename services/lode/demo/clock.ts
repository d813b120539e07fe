import { machineClocks, type MachineClocks } from '#clock';

/** The machine's clocks, set back so that what happened in the course of months can be done one after the other. */
export type MovedClock = {
  readonly clocks: MachineClocks;
  /** Sets them on to an instant; one that is over changes nothing, and none goes beyond the machine's own time. */
  readonly moveTo: (instant: number) => void;
};

/** Clocks that begin at an instant. All are moved alike: to the program it is as if that time had passed. */
export function createMovedClock(instant: number, machine: MachineClocks = machineClocks): MovedClock {
  let behindMs = machine.wall() - instant;
  const moved = (clock: MachineClocks['wall']) => () => clock() - behindMs;
  return {
    clocks: {
      wall: moved(machine.wall),
      monotonic: moved(machine.monotonic),
      uptime: moved(machine.uptime),
    },
    moveTo: (to) => {
      behindMs = Math.max(0, Math.min(behindMs, machine.wall() - to));
    },
  };
}
