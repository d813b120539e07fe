import { useCallback, useEffect, useState, type ComponentType } from 'react';
import { toolFor } from './keys';
import type { ToolName, ToolProps } from './tool';

/** Their code comes when somebody first asks for them. */
const loads: Readonly<Record<ToolName, () => Promise<{ readonly default: ComponentType<ToolProps> }>>> = {
  palette: () => import('./palette'),
  shortcuts: () => import('./shortcuts'),
};

type Opened = { readonly name: ToolName; readonly Tool: ComponentType<ToolProps> };

/** The palette and the list of shortcuts: what is open of them, and how they are opened, from everywhere also by their keys. */
export function useTools() {
  const [opened, setOpened] = useState<Opened>();
  const close = useCallback(() => setOpened(undefined), []);
  const open = useCallback((name: ToolName) => {
    loads[name]().then(
      ({ default: Tool }) => setOpened({ name, Tool }),
      // What could not be had is asked for again by the next press.
      () => undefined,
    );
  }, []);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const name = event.defaultPrevented ? undefined : toolFor(event);
      if (name === undefined) return;
      event.preventDefault();
      // The same key closes it again; over another dialog nothing opens.
      if (opened?.name === name) close();
      else if (document.querySelector('[data-lode-dialog]') === null) open(name);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [opened, open, close]);
  return { Tool: opened?.Tool, open, close };
}
