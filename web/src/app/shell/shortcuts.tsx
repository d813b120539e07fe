import { useState } from 'react';
import { Dialog } from '../../ui';
import { hasSingleKeys, paletteKeys, setSingleKeys } from './keys';
import type { ToolProps } from './tool';
import styles from './shortcuts.module.css';

/** In pixels. */
const WIDTH = 520;

type Line = readonly [keys: readonly string[], what: string];

const groups: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    'Everywhere',
    [
      [[paletteKeys.shown], 'Find a page or action'],
      [['?'], 'Show this list, outside of fields'],
      [['Tab', 'Shift Tab'], 'The next field, button or link, and the one before'],
      [['Enter', 'Space'], 'Press what has the focus'],
      [['Esc'], 'Close a dialog, a menu or a statement of a balance'],
    ],
  ],
  ['Choices and menus', [[['↑', '↓', '←', '→'], 'The next choice, and the one before']]],
  [
    'Account History',
    [
      [['←', '→'], 'One event back, or on, while the slider has the focus'],
      [['Home', 'End'], 'The first event, and the newest'],
    ],
  ],
];

/** Every key that does something, and a way to have none that works alone. */
export default function Shortcuts({ onClose }: ToolProps) {
  const [single, setSingle] = useState(hasSingleKeys);
  return (
    <Dialog title="Keyboard shortcuts" width={WIDTH} onClose={onClose}>
      <div className={styles.body}>
        {groups.map(([title, lines]) => (
          <section key={title}>
            <h3 className="label">{title}</h3>
            <dl className={styles.lines}>
              {lines.map(([keys, what]) => (
                <div key={what}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <label className={styles.single}>
          <input
            type="checkbox"
            checked={single}
            onChange={({ currentTarget: { checked } }) => {
              setSingleKeys(checked);
              setSingle(checked);
            }}
          />
          Open this list with ? alone
        </label>
      </div>
    </Dialog>
  );
}
