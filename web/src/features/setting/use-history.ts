import { detailOf } from '../../api';
import { trailOf } from '../../lib';
import { useSettingsHistoryQuery } from './api';
import type { SettingItem, SettingPart } from './changes';

const LIMIT = 10;

/** A page of who changed a part of the settings, newest first: the one at which the address has the list. */
export function useHistory(part: SettingPart, changes: string | undefined) {
  const trail = trailOf(changes);
  const before = trail.at === undefined ? undefined : Number(trail.at);
  const { data, error, refetch } = useSettingsHistoryQuery({ part, before, limit: LIMIT });
  return {
    page: data && {
      items: data.items,
      first: trail.passed * LIMIT + 1,
      previous: trail.previous,
      next: trail.to(data.before === null ? null : String(data.before)),
    },
    failure: error && { detail: detailOf(error), onRetry: () => void refetch() },
    keyOf: ({ eventId }: SettingItem) => eventId,
  };
}
