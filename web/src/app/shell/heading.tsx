import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTitle } from '../../lib';

type Heading = { readonly text: string; readonly set: (text: string) => void };

const HeadingContext = createContext<Heading>({ text: '', set: () => undefined });

export function HeadingProvider({ children }: { readonly children: ReactNode }) {
  const [text, set] = useState('');
  const value = useMemo(() => ({ text, set }), [text]);
  return <HeadingContext value={value}>{children}</HeadingContext>;
}

/** The screen's name, which the top bar shows as the page's first heading. */
export function useHeading(): string {
  return useContext(HeadingContext).text;
}

/** Names the screen in the top bar and in the browser's tab. */
export function useScreen(title: string): void {
  const { set } = useContext(HeadingContext);
  useTitle(title);
  useEffect(() => set(title), [set, title]);
}
