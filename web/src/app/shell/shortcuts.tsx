import { useState } from 'react';
import { useUser } from '../../api';
import { hasSingleKeys, setSingleKeys } from '../../lib';
import { Dialog } from '../../ui';
import { paletteKeys } from './keys';
import type { ToolProps } from './tool';
import styles from './shortcuts.module.css';

/** In pixels. */
const WIDTH = 520;

type Line = readonly [keys: readonly string[], what: string];

type Group = readonly [title: string, lines: readonly Line[]];

const groups: readonly Group[] = [
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
];

/** What one's own pages have besides. */
const ofUsers: Group = [
  'Account History',
  [
    [['←', '→'], 'One event back, or on, while the slider has the focus'],
    [['Home', 'End'], 'The first event, and the newest'],
  ],
];

/** What an admin's lists have besides. */
const ofAdmins: Group = [
  'Lists of requests',
  [
    [['j', 'k'], 'The next row, and the one before'],
    [['Enter'], 'Open the row'],
    [['x'], 'Select the row, or not'],
    [['c', 'r'], 'Confirm or reject: opens what is selected, or the row; in its dialog, decides'],
  ],
];

/** Every key that does something, and a way to have none that works alone. */
export default function Shortcuts({ onClose }: ToolProps) {
  const [single, setSingle] = useState(hasSingleKeys);
  const { role } = useUser();
  return (
    <Dialog title="Keyboard shortcuts" width={WIDTH} onClose={onClose}>
      <div className={styles.body}>
        {[...groups, role === 'admin' ? ofAdmins : ofUsers].map(([title, lines]) => (
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
          Shortcuts of one key alone, as ?
        </label>
      </div>
    </Dialog>
  );
}
