import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { AccountView } from '#contracts';
import { keepDisplay, useDisplay } from '../../lib';

/** Shows things as the account's owner chose, on whatever device that was. Gives the language that is in force. */
export function useAccountDisplay(account: AccountView | undefined): string {
  const { setColorScheme } = useMantineColorScheme();
  const { language, timeZone, theme } = account?.preferences ?? {};
  useEffect(() => {
    if (language !== undefined && timeZone !== undefined) keepDisplay({ language, timeZone });
  }, [language, timeZone]);
  // Once for each answer of the account: what is chosen on this page is not undone before the account has it.
  const applied = useRef<typeof theme>(undefined);
  useEffect(() => {
    if (theme === undefined || theme === applied.current) return;
    applied.current = theme;
    setColorScheme(theme);
  }, [theme, setColorScheme]);
  return useDisplay().language;
}
