import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTitle } from '../../lib';

type Heading = {
  readonly inShell: boolean;
  readonly text: string;
  readonly set: (text: string) => void;
};

const HeadingContext = createContext<Heading>({ inShell: false, text: '', set: () => undefined });

export function HeadingProvider({ children }: { readonly children: ReactNode }) {
  const [text, set] = useState('');
  const value = useMemo(() => ({ inShell: true, text, set }), [text]);
  return <HeadingContext value={value}>{children}</HeadingContext>;
}

/** The screen's name, which the top bar shows as the page's first heading. */
export function useHeading(): string {
  return useContext(HeadingContext).text;
}

/** Whether the top bar shows the page's heading. */
export function useInShell(): boolean {
  return useContext(HeadingContext).inShell;
}

/** Names the screen in the top bar and in the browser's tab. */
export function useScreen(title: string): void {
  const { set } = useContext(HeadingContext);
  useTitle(title);
  useEffect(() => set(title), [set, title]);
}
