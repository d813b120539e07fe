import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ContentBody } from '#contracts';
import { detailOf } from '../../api';
import { useAddress } from '../../lib';
import { DataList, Dialog, LoadFailed, Skeleton, When, type DataColumn } from '../../ui';
import { ActDialog } from '../acts';
import { useMay } from '../duty';
import { useHistory, WithSettings, type SettingItem as Item } from '../setting';
import { useChangeContentMutation, useContentVersionQuery } from './api';
import { Differences } from './differences';
import { PreviewPane } from './lazy-preview-pane';
import { lookingBy, type Looking } from './looking';
import { differencesOf, pagesOf, restoring, wordsIn, wordsOf } from './texts';
import { usePreview } from './use-preview';
import styles from './site-content.module.css';

const names = ['section', 'changes'] as const;
/** In pixels. */
const WIDTH = 720;

/** The sections of a change, as the event has them. */
function sectionsIn(data: Item['data']): Readonly<Record<string, unknown>> {
  return (data['content'] ?? {}) as Readonly<Record<string, unknown>>;
}

const columns: readonly DataColumn<Item>[] = [
  { head: 'Version', place: 'state', width: '4ch', cell: ({ revision }) => revision },
  { head: 'Changed', place: 'date', width: '14ch', cell: ({ at }) => <When iso={at} /> },
  { head: 'By', place: 'lead', width: '12ch', cell: ({ actor }) => actor.name },
  {
    head: 'Sections',
    place: 'more',
    width: '20ch',
    cell: ({ data }) => Object.keys(sectionsIn(data)).map(wordsOf).join(', '),
  },
  { head: 'Reason', place: 'more', width: '16ch', cell: ({ reason }) => reason ?? '' },
];

/** Every version of the site's texts, newest first: what each changed, how it differs from now, and the way back to it. */
export function ContentVersions() {
  const { values, set } = useAddress(names);
  const [opened, setOpened] = useState<Item>();
  const history = useHistory('content', values.changes);
  return (
    <>
      <DataList
        label="Versions"
        columns={columns}
        {...history}
        opens={{ word: 'View', name: ({ revision }) => `version ${revision}`, open: setOpened }}
        onGo={(changes) => set({ section: values.section, changes })}
        skeletonRows={3}
      />
      {opened !== undefined && (
        <Version key={opened.eventId} change={opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

type Props = { readonly change: Item; readonly onClose: () => void };

function Version({ change, onClose }: Props) {
  const [isRestoring, setRestoring] = useState(false);
  const { data, error, refetch } = useContentVersionQuery({ revision: change.revision });
  const [send] = useChangeContentMutation();
  const mayRestore = useMay('write the site');
  return (
    <WithSettings>
      {({ content }) => {
        const back = data && restoring(content, data.content);
        const isSame = back === undefined || Object.keys(back).length === 0;
        if (isRestoring && back !== undefined)
          return (
            <ActDialog
              title={`Restore version ${change.revision}`}
              act="Restore"
              reason="needed"
              about={back}
              send={(input) => send({ content: back, ...input })}
              failed="Something went wrong."
              onDone={onClose}
              onClose={() => setRestoring(false)}
            >
              <p>Visitors read what they read then. It becomes a version of its own: no other one is lost.</p>
            </ActDialog>
          );
        return (
          <Dialog title={`Version ${change.revision}`} width={WIDTH} onClose={onClose}>
            <div className={styles.version}>
              <Differences
                caption="What it changed"
                differences={differencesOf(sectionsIn(change.was), sectionsIn(change.data))}
              />
              {data === undefined && error === undefined && <Skeleton width="30ch" />}
              {error !== undefined && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />}
              {data !== undefined && (
                <Differences
                  caption="What is in force now, against it"
                  differences={differencesOf(data.content, content)}
                />
              )}
              {mayRestore && !isSame && <VersionPreview change={back} />}
              {mayRestore && (
                <div>
                  <Button disabled={isSame} onClick={() => setRestoring(true)}>
                    Restore this version
                  </Button>
                </div>
              )}
            </div>
          </Dialog>
        );
      }}
    </WithSettings>
  );
}

type PreviewProps = { readonly change: ContentBody['content'] };

/** The site as it would be with a version, once it is asked for. */
function VersionPreview({ change }: PreviewProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ChangePreview change={change} />;
  return (
    <div>
      <Button variant="default" onClick={() => setOpen(true)}>
        Preview this version
      </Button>
    </div>
  );
}

function ChangePreview({ change }: PreviewProps) {
  const [chosen, setChosen] = useState<Parameters<Looking['set']>[0]>({});
  const set: Looking['set'] = (more) => setChosen((before) => ({ ...before, ...more }));
  const looking = lookingBy(chosen, { pages: pagesOf(change), isNarrow: true, set });
  const preview = usePreview({ page: looking.page, content: change }, { isOn: true });
  return (
    <PreviewPane
      preview={preview}
      looking={looking}
      what="As visitors would get it once this version is restored."
      texts={Object.values(change).flatMap(wordsIn)}
    />
  );
}
