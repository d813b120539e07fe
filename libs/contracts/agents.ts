/** Browsers and systems by what they call themselves; the first that fits. Some name others that they are like. */
const browsers = [
  ['Edge', /Edg(?:A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

type Names = readonly (readonly [name: string, sign: RegExp])[];

/** What a person calls the browser that calls itself `agent`, in these words alone; undefined when it is none that is known. */
export function knownAgent(agent: string): string | undefined {
  const found = (names: Names) => names.find(([_name, sign]) => sign.test(agent))?.[0];
  const [browser, system] = [found(browsers), found(systems)];
  return browser === undefined || system === undefined ? browser : `${browser} on ${system}`;
}
