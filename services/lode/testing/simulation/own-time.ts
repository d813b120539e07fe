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
    const value = () => {
      throw new Error(`${name} of the machine itself was used in a simulation`);
    };
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  }
  try {
    return await work();
  } finally {
    ways.forEach(([owner, name], n) => {
      const before = kept[n];
      if (before === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, before);
    });
  }
}
