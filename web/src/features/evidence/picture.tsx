import { useState } from 'react';
import { Stage } from './stage';
import type { Size } from './view';
import styles from './picture.module.css';

/** A picture on a stage. */
export function Picture({ url }: { readonly url: string }) {
  const [size, setSize] = useState<Size>();
  return (
    <Stage paper={size} label="Picture">
      {(at) => (
        <img
          src={url}
          alt="Payment evidence"
          draggable={false}
          className={styles.picture}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
          style={
            at && {
              transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px) rotate(${at.turn}deg) scale(${at.scale})`,
            }
          }
        />
      )}
    </Stage>
  );
}
