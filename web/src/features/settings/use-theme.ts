import { useMantineColorScheme } from '@mantine/core';
import type { themes } from '#contracts';
import { useChangePreferencesMutation } from '../../api';
import { useKey } from '../../lib';
import { notifyWarning } from '../../ui';

export type Theme = (typeof themes)[number];

/** What each theme is called. */
export const themeNames: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

/** The theme of this page, and how to choose another one: at once here, and kept with the account. */
export function useTheme(userId: string) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [change] = useChangePreferencesMutation();
  const key = useKey();
  const choose = async (theme: Theme): Promise<void> => {
    setColorScheme(theme);
    const { error } = await change({ userId, theme, idempotencyKey: key.of({ theme }) });
    if (error === undefined) key.done();
    else notifyWarning('The theme is not kept with your account.');
  };
  return { theme: colorScheme, choose };
}
