import { themes, type AccountView } from '#contracts';
import { Segments } from '../../ui';
import styles from './settings.module.css';
import { themeNames, useTheme } from './use-theme';

/** Light or dark, or as the system is. */
export function ThemeChoice({ account: { userId } }: { readonly account: AccountView }) {
  const { theme, choose } = useTheme(userId);
  return (
    <div className={`card ${styles.theme}`}>
      <Segments
        label="Theme"
        values={themes}
        captions={themeNames}
        value={theme}
        onChange={(chosen) => void choose(chosen)}
      />
    </div>
  );
}
