import type { Machine, Timers } from '#kernel';
import type { Draws } from '#kernel/testing/draws';
import type { Actor, VirtualTime } from './time.js';

/** When the simulation begins, by a clock that is right. */
export const BEGIN = Date.parse('2026-03-01T10:00:00.000Z');

/** A clock as a machine has it; the lives of a machine share it. */
export type WallClock = { readonly now: () => number; skewMs: number };

/** A program from its start to its end on one machine. */
export type Life = Actor & {
  readonly machine: Machine;
  readonly timers: Timers;
  readonly pause: (ms: number) => void;
  readonly end: () => void;
  /** Hears of the end, as whoever is connected to it would. Gives what stops it. */
  readonly onEnd: (listener: () => void) => () => void;
};

/** How late timers are at most, in milliseconds: a busy machine comes to them when it can. */
export type Lateness = () => number;

type LifeParts = {
  readonly time: VirtualTime;
  readonly draws: Draws;
  readonly lateness: Lateness;
  /** The program that a thread is of: they are paused together. */
  readonly host?: Life;
};

/** Begins a program. */
export function beginLife(name: string, wall: WallClock, { time, draws, lateness, host }: LifeParts): Life {
  const state = { isOver: false, pausedUntil: 0 };
  const listeners = new Set<() => void>();
  const life: Life = {
    name,
    machine: { clock: wall.now, monotonic: time.now, random: draws.bytes },
    timers: {
      after: (ms, done) => time.after(ms + draws.between(0, lateness()), 'timer', done, life),
      yieldNow: () => new Promise((resolve) => void time.after(0.05, 'turn', resolve, life)),
    },
    get isOver() {
      return state.isOver;
    },
    get pausedUntil() {
      return Math.max(state.pausedUntil, host?.pausedUntil ?? 0);
    },
    pause: (ms) => {
      state.pausedUntil = Math.max(state.pausedUntil, time.now() + ms);
    },
    end: () => {
      if (state.isOver) return;
      state.isOver = true;
      for (const listener of [...listeners]) listener();
    },
    onEnd: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return life;
}

/** A machine's clock: right, but for what it was set by. */
export function createWallClock(time: VirtualTime, passed: () => number): WallClock {
  const wall: WallClock = {
    now: () => Math.floor(BEGIN + passed() + time.now() + wall.skewMs),
    skewMs: 0,
  };
  return wall;
}
