import type { Timers } from '#kernel';

/** Does some work whenever it is asked for, but not more often than every `ms`: what is asked for meanwhile is done once, then. */
export function seldom(timers: Pick<Timers, 'after'>, ms: number, work: () => void): () => void {
  let isResting = false;
  let isAskedAgain = false;
  const rest = () => {
    isResting = true;
    timers.after(ms, () => {
      isResting = false;
      if (isAskedAgain) ask();
    });
  };
  const ask = () => {
    isAskedAgain = isResting;
    if (isResting) return;
    rest();
    work();
  };
  return ask;
}
