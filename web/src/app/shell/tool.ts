import type { SessionUser } from '../../api';

/** What opens over any screen by a key of its own. */
export type ToolName = 'palette' | 'shortcuts';

export type ToolProps = {
  readonly user: SessionUser;
  readonly onOpen: (name: ToolName) => void;
  readonly onClose: () => void;
};
