import { Button, NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { pagesOfSection, type Content, type SettingsView } from '#contracts';
import { detailOf } from '../../api';
import { useAddress, useMedia } from '../../lib';
import { Form, FormActs, LoadFailed, notifyInfo, Segments, Skeleton } from '../../ui';
import { ActDialog } from '../acts';
import { ForDuty, useMay } from '../duty';
import { LastChange, WithSettings } from '../setting';
import { useChangeContentMutation, useContentQuery } from './api';
import { Differences } from './differences';
import { PreviewPane } from './lazy-preview-pane';
import { lookingBy } from './looking';
import { TextFields } from './text-fields';
import { differencesOf, wordsIn, wordsOf, type Section, type Text } from './texts';
import { usePreview, type Faults } from './use-preview';
import styles from './site-content.module.css';

const names = ['section', 'page', 'width', 'show'] as const;

/** The texts of the public site, a section at a time. */
export function ContentEditor() {
  const { values, set } = useAddress(names);
  const { data, error, refetch } = useContentQuery();
  if (data === undefined)
    return error === undefined ? (
      <Skeleton width="24ch" />
    ) : (
      <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
    );
  const sections = Object.keys(data) as readonly Section[];
  const section = sections.find((one) => one === values.section) ?? 'hero';
  return (
    <div className={styles.all}>
      <NativeSelect
        label="Section"
        value={section}
        data={sections.map((value) => ({ value, label: wordsOf(value) }))}
        onChange={({ currentTarget }) => set({ section: currentTarget.value })}
      />
      <WithSettings>
        {(settings) => <SectionEditor key={section} section={section} content={data} settings={settings} />}
      </WithSettings>
    </div>
  );
}

/** As long nothing more is typed before it is shown, in milliseconds. */
const PAUSE_MS = 400;
/** Where what is typed and what becomes of it have no room beside each other. */
const NARROW = '(max-width: 1199px)';
const tabs = { texts: 'Texts', preview: 'Preview' } as const;
type Tab = keyof typeof tabs;

type Props = { readonly section: Section; readonly content: Content; readonly settings: SettingsView };

/** A section's texts, and beside them, or in their place on a small screen, a page as it would be with them. */
function SectionEditor({ section, content, settings }: Props) {
  const inForce = content[section] as Text;
  const [typed, setTyped] = useState<Text>(inForce);
  const [draft] = useDebouncedValue(typed, PAUSE_MS);
  const mayWrite = useMay('write the site');
  const isNarrow = useMedia(NARROW);
  const { values, set } = useAddress(names);
  const looking = lookingBy(values, { set, pages: pagesOfSection[section], isNarrow });
  const preview = usePreview({ page: looking.page, content: { [section]: draft } }, { isOn: mayWrite });
  const isTab = isNarrow && mayWrite;
  const tab: Tab = values.show === 'preview' ? 'preview' : 'texts';
  return (
    <div className={styles.editor} data-beside={mayWrite && !isNarrow}>
      {isTab && (
        <Segments
          label="Show"
          values={['texts', 'preview']}
          captions={tabs}
          value={tab}
          onChange={(show) => set({ show })}
        />
      )}
      <div hidden={isTab && tab === 'preview'}>
        <SectionForm
          section={section}
          settings={settings}
          inForce={inForce}
          typed={typed}
          faults={preview.faults}
          onType={setTyped}
        />
      </div>
      {mayWrite && (!isTab || tab === 'preview') && (
        <PreviewPane
          preview={{ ...preview, isBusy: preview.isBusy || draft !== typed }}
          looking={looking}
          what={isSame(typed, inForce) ? NOW : TYPED}
          texts={wordsIn(typed)}
        />
      )}
    </div>
  );
}

const NOW = 'As visitors get it now.';
const TYPED = 'With what is typed. Nobody else sees it before it is saved.';

type FormProps = Pick<Props, 'section' | 'settings'> & {
  readonly inForce: Text;
  readonly typed: Text;
  readonly faults: Faults;
  readonly onType: (typed: Text) => void;
};
/** What is asked again before it is done; null brings the default back. */
type Asked = { readonly value: Text | null };

function SectionForm({ section, settings, inForce, typed, faults, onType }: FormProps) {
  const [asked, setAsked] = useState<Asked>();
  const isDefault = settings.content[section] === undefined;
  const submit = async () => {
    if (isSame(typed, inForce)) notifyInfo('Nothing was changed.');
    else setAsked({ value: typed });
  };
  return (
    <>
      <ForDuty act="write the site">
        <Form
          label={wordsOf(section)}
          onSubmit={(event) => {
            event.preventDefault();
            return submit();
          }}
        >
          <TextFields
            section={section}
            name={section}
            label={wordsOf(section)}
            path={section}
            faults={faults}
            value={typed}
            onChange={onType}
          />
          <FormActs submit="Save section" busy={false}>
            <LastChange settings={settings} part="content" />
          </FormActs>
          {!isDefault && (
            <div>
              <Button variant="subtle" onClick={() => setAsked({ value: null })}>
                Bring the default back
              </Button>
            </div>
          )}
        </Form>
      </ForDuty>
      {asked !== undefined && (
        <Review section={section} inForce={inForce} value={asked.value} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

function isSame(one: Text, other: Text): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type ReviewProps = {
  readonly section: Section;
  readonly inForce: Text;
  readonly value: Text | null;
  readonly onClose: () => void;
};

function Review({ section, inForce, value, onClose }: ReviewProps) {
  const [change] = useChangeContentMutation();
  return (
    <ActDialog
      title="Change the site"
      act={value === null ? 'Bring the default back' : 'Save section'}
      reason="welcome"
      about={[section, value]}
      send={(input) => change({ content: { [section]: value }, ...input })}
      failed="Something went wrong."
      onClose={onClose}
    >
      {value === null ? (
        <p>Visitors read the text that came with Lode again. This version stays among the versions.</p>
      ) : (
        <Differences
          caption="What visitors will read"
          differences={differencesOf({ [section]: inForce }, { [section]: value })}
        />
      )}
    </ActDialog>
  );
}
