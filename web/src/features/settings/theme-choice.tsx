import { useMantineColorScheme } from '@mantine/core';
import { themes, type AccountView } from '#contracts';
import { useChangePreferencesMutation } from '../../api';
import { useKey } from '../../lib';
import { notifyWarning, Segments } from '../../ui';
import styles from './settings.module.css';

const captions = { auto: 'System', light: 'Light', dark: 'Dark' };

/** Light or dark, or as the system is: at once here, and kept with the account. */
export function ThemeChoice({ account: { userId } }: { readonly account: AccountView }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [change] = useChangePreferencesMutation();
  const key = useKey();
  const choose = async (theme: (typeof themes)[number]) => {
    setColorScheme(theme);
    const { error } = await change({ userId, theme, idempotencyKey: key.of({ theme }) });
    if (error === undefined) key.done();
    else notifyWarning('The theme is not kept with your account.');
  };
  return (
    <div className={`card ${styles.theme}`}>
      <Segments
        label="Theme"
        values={themes}
        captions={captions}
        value={colorScheme}
        onChange={(theme) => void choose(theme)}
      />
    </div>
  );
}
