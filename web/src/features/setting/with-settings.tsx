import type { ReactNode } from 'react';
import type { SettingsView } from '#contracts';
import { detailOf, useSettingsQuery } from '../../api';
import { LoadFailed, Skeleton, When } from '../../ui';
import type { SettingPart } from './changes';

type Props = { readonly children: (settings: SettingsView) => ReactNode };

/** What needs the settings in force, once they are there. */
export function WithSettings({ children }: Props) {
  const { data, error, refetch } = useSettingsQuery();
  if (data !== undefined) return children(data);
  if (error !== undefined) return <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />;
  return <Skeleton width="24ch" />;
}

/** Who changed a part of the settings last, and when. */
export function LastChange({
  settings,
  part,
}: {
  readonly settings: SettingsView;
  readonly part: SettingPart;
}) {
  const last = settings.lastChanges[part];
  return (
    <span className="soft">
      {last === null ? (
        'Nobody has changed it yet.'
      ) : (
        <>
          Last changed by {last.by}, <When iso={last.at} />.
        </>
      )}
    </span>
  );
}
