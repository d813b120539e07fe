import { later } from '../../ui';

/** The last movements, which come after what the first screen has to show; nothing stands below them that would move. */
export const LastMovements = later(async () => ({
  default: (await import('./last-movements')).LastMovements,
}));
