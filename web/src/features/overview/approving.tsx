import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { changeActs, pagePaths, type WaitingApproval, type WaitingChange } from '#contracts';
import { Ago, Approvals } from '../../ui';
import { approvalName, approvalWords, changeName, dollarsOf, OpenApproval } from '../approvals-desk';
import { useMay } from '../duty';
import { Line } from './line';

type Props = { readonly items: readonly WaitingApproval[]; readonly changes: readonly WaitingChange[] };

/** What some admins approved and waits for others, line by line, to be decided where it is listed; changes that wait lead to theirs. */
export default function Approving({ items, changes }: Props) {
  const [opened, setOpened] = useState<WaitingApproval>();
  const current = opened && items.find(({ id }) => id === opened.id);
  return (
    <>
      {items.map((one) => (
        <One key={one.id} one={one} onOpen={() => setOpened(one)} />
      ))}
      {changes.map((change) => (
        <OneChange key={change.id} change={change} />
      ))}
      {opened !== undefined && (
        <OpenApproval
          waiting={current ?? opened}
          isGone={current === undefined}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

function One({ one, onOpen }: { readonly one: WaitingApproval; readonly onOpen: () => void }) {
  const mayDecide = useMay('decide on money');
  const word = one.isOwn || !mayDecide ? 'View' : 'Decide';
  return (
    <Line
      kind={approvalWords(one)}
      what={
        <>
          <b>{one.customer}</b>, <span className="num">{dollarsOf(one).join(' and ')} USD</span>
        </>
      }
      state={<Approvals {...one.approvals} />}
      waits={<Ago iso={one.since} short />}
      act={
        <Button variant="default" size="xs" aria-label={`${word} ${approvalName(one)}`} onClick={onOpen}>
          {word}
        </Button>
      }
    />
  );
}

function OneChange({ change }: { readonly change: WaitingChange }) {
  const { id, part, by, isOwn, since } = change;
  const mayDecide = useMay(changeActs[part]);
  const word = isOwn || !mayDecide ? 'View' : 'Decide';
  const what = changeName(change);
  return (
    <Line
      kind="Change"
      what={
        <>
          <b>{what}</b>, <span className="soft">asked for by {by.name}</span>
        </>
      }
      state={<Approvals given={1} needed={2} />}
      waits={<Ago iso={since} short />}
      act={
        <Button
          component={Link}
          to={`${pagePaths.approvals}?change=${id}`}
          variant="default"
          size="xs"
          aria-label={`${word} the change of ${what}`}
        >
          {word}
        </Button>
      }
    />
  );
}
