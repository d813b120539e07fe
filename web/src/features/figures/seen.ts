import { useState } from 'react';
import type { Load, ReadModelList } from '#contracts';

/** Answers that are remembered: ten minutes of them. */
const SEEN_MAX = 120;
const MS_PER_SECOND = 1_000;

/** An answer, and when it came. */
export type Seen<Answer> = { readonly at: number; readonly answer: Answer };
/** A figure of what was seen at a moment. */
export type Point = { readonly at: number; readonly value: number };

/** Every answer that came since the page was opened, the oldest first. */
export function useSeen<Answer>(
  answer: Answer | undefined,
  answeredAt: number | undefined,
): readonly Seen<Answer>[] {
  const [seen, setSeen] = useState<readonly Seen<Answer>[]>([]);
  if (answer === undefined || answeredAt === undefined || seen.at(-1)?.at === answeredAt) return seen;
  const now = [...seen, { at: answeredAt, answer }].slice(-SEEN_MAX);
  setSeen(now);
  return now;
}

/** How far the read model that was furthest behind was, and which that is. */
export type Lag = Point & { readonly model: string };

export function lagsOf(seen: readonly Seen<ReadModelList>[]): readonly Lag[] {
  return seen.map(({ at, answer }) => {
    const furthest = answer.models.reduce<Lag>(
      (most, { name, secondsBehind }) =>
        secondsBehind > most.value ? { at, value: secondsBehind, model: name } : most,
      { at, value: 0, model: '' },
    );
    return furthest;
  });
}

/** Commands a second between each two answers. A program that was begun again counts from nothing: there the pace is not known. */
export function pacesOf(seen: readonly Seen<Load>[]): readonly Point[] {
  return seen.flatMap(({ at, answer }, n) => {
    const before = seen[n - 1];
    if (before === undefined || at <= before.at) return [];
    const commands = answer.commands - before.answer.commands;
    return commands < 0 ? [] : [{ at, value: (commands * MS_PER_SECOND) / (at - before.at) }];
  });
}
