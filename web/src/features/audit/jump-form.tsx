import { Button } from '@mantine/core';
import { useState } from 'react';
import { submitted } from './submitted';
import styles from './audit.module.css';

/** Goes to an instant of the list. */
export function JumpForm({ onJump }: { readonly onJump: (instant: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      className={styles.jumpForm}
      onSubmit={submitted(() => {
        const time = Date.parse(`${text}Z`);
        if (!Number.isNaN(time)) onJump(new Date(time).toISOString());
      })}
    >
      <label>
        <span className="soft">An instant, UTC</span>
        <input
          type="datetime-local"
          step={1}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
      </label>
      <Button type="submit" variant="default" size="xs" disabled={text === ''}>
        Go
      </Button>
    </form>
  );
}
