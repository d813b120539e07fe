import type { RequestsByAge } from '#contracts';
import { formatMoney, parseMoney } from '#ledger';
import type { RequestDocument, TransferDocument } from '#projections';
import { limits } from '#read-store';
import type { ApplicationParts } from '../parts.js';
import { Query } from '../message.js';

const HOUR_MS = 60 * 60 * 1_000;
/** Where one age ends and the next begins, in hours. */
const BOUNDS = [0, 1, 4, 12, 24] as const;
/** Pages of open requests of a kind that one answer reads: the oldest, so that the youngest may be too few. */
const PAGES_MAX = 10;
/** How long an answer serves whoever asks, in milliseconds: open pages of figures ask again and again. */
const KEPT_MS = 5_000;

type Kind = 'funding' | 'withdrawals' | 'transfers';
type Open = { readonly kind: Kind; readonly createdAt: string; readonly amount: string };

/** How many requests wait for a decision, and what they come to, by how long they have waited. */
export class GetRequestsByAge extends Query<RequestsByAge> {}

export class GetRequestsByAgeHandler {
  private found: { readonly readAt: number; readonly answer: RequestsByAge } | undefined;
  private reading: Promise<RequestsByAge> | undefined;

  constructor(private readonly parts: Pick<ApplicationParts, 'readStore' | 'clock' | 'timers'>) {}

  /** One read is under way at a time, however many ask, and what it found serves for some seconds. */
  async execute(): Promise<RequestsByAge> {
    const { found, parts } = this;
    if (found !== undefined && Math.abs(parts.clock() - found.readAt) < KEPT_MS) return found.answer;
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async read(): Promise<RequestsByAge> {
    const kinds = await Promise.all([
      this.open('funding', 'requests', { type: 'Funding' }),
      this.open('withdrawals', 'requests', { type: 'withdrawal' }),
      this.open('transfers', 'transfers', {}),
    ]);
    const now = this.parts.clock();
    const answer = {
      at: new Date(now).toISOString(),
      complete: kinds.every(({ isAll }) => isAll),
      ages: agesOf(
        kinds.flatMap(({ rows }) => rows),
        now,
      ),
    };
    this.found = { readAt: now, answer };
    return answer;
  }

  /** The requests of a kind that wait, the oldest first. */
  private async open(kind: Kind, collection: string, equals: Readonly<Record<string, string>>) {
    const { readStore, timers } = this.parts;
    const rows: Open[] = [];
    let after: readonly string[] | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const found = await readStore.list<RequestDocument | TransferDocument>(collection, {
        index: 'status',
        equals: { ...equals, status: 'Pending' },
        direction: 'ascending',
        limit: limits.page,
        ...(after === undefined ? {} : { after }),
      });
      rows.push(...found.map(({ createdAt, amount }) => ({ kind, createdAt, amount })));
      const last = found.at(-1);
      if (last === undefined || found.length < limits.page) return { rows, isAll: true };
      after = [last.createdAt, last.id];
      await timers.yieldNow();
    }
    return { rows, isAll: false };
  }
}

function agesOf(rows: readonly Open[], now: number): RequestsByAge['ages'] {
  return BOUNDS.map((fromHours, n) => {
    const toHours = BOUNDS[n + 1] ?? null;
    const own = rows.filter(({ createdAt }) => {
      // A request of a clock that was ahead is as young as can be.
      const hours = Math.max(0, now - Date.parse(createdAt)) / HOUR_MS;
      return hours >= fromHours && (toHours === null || hours < toHours);
    });
    const count = (kind: Kind) => own.filter((row) => row.kind === kind).length;
    return {
      fromHours,
      toHours,
      funding: count('funding'),
      withdrawals: count('withdrawals'),
      transfers: count('transfers'),
      amount: formatMoney(
        own.reduce((sum, { amount }) => sum + parseMoney(amount, 'USD'), 0n),
        'USD',
      ),
    };
  });
}
