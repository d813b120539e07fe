import { AsyncLocalStorage } from 'node:async_hooks';

/** Tells what a simulation does from what else this process still has to do, such as closing another test's connections. */
const simulated = new AsyncLocalStorage<true>();

/** What takes time or randomness from the machine itself. */
const ways: readonly (readonly [owner: object, name: string])[] = [
  [globalThis, 'setTimeout'],
  [globalThis, 'setInterval'],
  [globalThis, 'setImmediate'],
  [Date, 'now'],
  [performance, 'now'],
  [Math, 'random'],
];

/** Does some work in which whoever takes time or randomness from the machine, and not from what it was given, fails by name. */
export async function withoutOwnTime<Done>(work: () => Promise<Done>): Promise<Done> {
  const kept = ways.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  for (const [owner, name] of ways) {
    const own = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    const value = (...args: unknown[]): unknown => {
      if (simulated.getStore()) throw new Error(`${name} of the machine itself was used in a simulation`);
      return Reflect.apply(own, owner, args);
    };
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  }
  try {
    return await simulated.run(true, work);
  } finally {
    ways.forEach(([owner, name], n) => {
      const before = kept[n];
      if (before === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, before);
    });
  }
}
