import { knownSections, type ContentVersion, type SettingsHistory } from '#contracts';
import { invariant, LodeError, type Json, type StreamEvent } from '#kernel';
import { settingsDecider, settingsStream, type ContentSections, type SettingsEvent } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { accountsOf, nameOf } from '../people/names.js';
import type { Ports } from '../ports.js';
import { limitsAsText, pricesAsText } from './texts.js';
import { Query } from '../message.js';

type Part = SettingsHistory['items'][number]['part'];
type Asked = {
  readonly part?: Part | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
};
type Parts = Pick<Ports, 'eventStore' | 'readStore'> & { readonly aggregates: Pick<Aggregates, 'settings'> };

/** Changes that are read at a time. */
const CHANGES_AT_ONCE = 50;
/** Changes that one answer is looked for in, at most: what was before is rarely far back. */
const CHANGES_LOOKED_AT_MAX = 1_000;

/** What each kind of change is one of, and the member that holds what it changed where that is not `data` itself. */
const kinds: Readonly<Record<SettingsEvent['type'], { readonly part: Part; readonly within?: string }>> = {
  DepositDetailsChanged: { part: 'deposit-details' },
  DollarRateSet: { part: 'dollar-rate' },
  PricesSet: { part: 'prices', within: 'prices' },
  BonusPolicySet: { part: 'bonus-policy' },
  ContentChanged: { part: 'content', within: 'content' },
  AdminAccessSet: { part: 'admin-access' },
  ApprovalLimitsSet: { part: 'approval-limits' },
};

type Members = { readonly [name: string]: Json };

/** Changes of the settings before a revision, newest first; of one part, where one is asked for. */
export class GetSettingsHistory extends Query<SettingsHistory> {
  constructor(readonly asked: Asked) {
    super();
  }
}

export class GetSettingsHistoryHandler {
  constructor(private readonly parts: Parts) {}

  execute({ asked }: GetSettingsHistory): Promise<SettingsHistory> {
    return settingsHistory(this.parts, asked);
  }
}

/** What the public site said once a change of its texts was made. */
export class GetContentVersion extends Query<ContentVersion> {
  constructor(readonly revision: number) {
    super();
  }
}

export class GetContentVersionHandler {
  constructor(private readonly parts: Pick<Ports, 'eventStore' | 'readStore'>) {}

  /** Refuses with `event_not_found` a revision that is no change of the content. */
  async execute({ revision }: GetContentVersion): Promise<ContentVersion> {
    const { eventStore, readStore } = this.parts;
    const [event] = await eventStore.readStream(settingsStream, { from: revision, limit: 1 });
    if (event?.revision !== revision || kindOf(event.type).part !== 'content')
      throw new LodeError('event_not_found', 'There is no such version of the content.');
    const latest = new Map<string, Json>();
    for await (const page of changesBackFrom(eventStore, revision)) {
      const changes = page.filter(({ type }) => type === event.type);
      for (const [name, section] of changes.flatMap((change) => Object.entries(membersOf(change))))
        if (!latest.has(name)) latest.set(name, section);
    }
    const stored: ContentSections = Object.fromEntries([...latest].filter(([, section]) => section !== null));
    const { actor, at, reason } = viewOf(event, await accountsOf(readStore, [event.meta.actor.id]));
    return {
      revision,
      at,
      by: actor.name,
      ...(reason === undefined ? {} : { reason }),
      content: knownSections(stored),
    };
  }
}

/** From the log itself: the read model keeps the last change of each part only. */
async function settingsHistory(parts: Parts, { before, limit, part }: Asked): Promise<SettingsHistory> {
  const { revision } = await parts.aggregates.settings.load(settingsStream);
  const newest = Math.min(before ?? revision + 1, revision + 1) - 1;
  const looked: StreamEvent[] = [];
  const asked = () => looked.filter(({ type }) => part === undefined || kindOf(type).part === part);
  const isKnown = (change: StreamEvent) =>
    Object.keys(membersOf(change)).every((name) => earlier(looked, change, name) !== undefined);
  for await (const page of changesBackFrom(parts.eventStore, newest)) {
    looked.push(...page);
    const isEnough = asked().length > limit && asked().slice(0, limit).every(isKnown);
    if (isEnough || looked.length >= CHANGES_LOOKED_AT_MAX) break;
  }
  const shown = asked().slice(0, limit);
  const people = await accountsOf(
    parts.readStore,
    shown.map(({ meta }) => meta.actor.id),
  );
  const last = asked().length > limit ? shown.at(-1) : looked.at(-1);
  return {
    items: shown.map((change) => ({ ...viewOf(change, people), was: wasBefore(looked, change) })),
    before: last === undefined || last.revision === 0 ? null : last.revision,
  };
}

/** The changes of the settings from a revision back to the first, a page at a time. */
async function* changesBackFrom(
  eventStore: Ports['eventStore'],
  revision: number,
): AsyncGenerator<readonly StreamEvent[]> {
  let from = revision;
  while (from >= 0) {
    const page = await eventStore.readStream(settingsStream, {
      from,
      direction: 'backwards',
      limit: CHANGES_AT_ONCE,
    });
    yield page;
    from = (page.at(-1)?.revision ?? 0) - 1;
  }
}

function kindOf(type: string) {
  invariant(isKind(type), 'the settings are read when all their events are known');
  return kinds[type];
}

function isKind(type: string): type is SettingsEvent['type'] {
  return Object.hasOwn(kinds, type);
}

/** What a change gave another value, by name. */
function membersOf({ type, data }: StreamEvent): Members {
  const { within } = kindOf(type);
  return (within === undefined ? data : data[within]) as Members;
}

/** What a member was before a change, of those that were looked at; undefined when none of them set it. */
function earlier(looked: readonly StreamEvent[], change: StreamEvent, name: string): Json | undefined {
  const found = looked.find(
    (other) =>
      other.type === change.type && other.revision < change.revision && Object.hasOwn(membersOf(other), name),
  );
  return found && membersOf(found)[name];
}

function wasBefore(looked: readonly StreamEvent[], change: StreamEvent): Members {
  const isWhole = looked.at(-1)?.revision === 0;
  const was = Object.keys(membersOf(change)).flatMap((name) => {
    const value = earlier(looked, change, name) ?? (isWhole ? defaultOf(change.type, name) : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  const { within } = kindOf(change.type);
  const members = Object.fromEntries(was);
  return within === undefined ? members : { [within]: members };
}

/** What is in force where nobody has set it; null where nothing is. */
function defaultOf(type: string, name: string): Json {
  const { adminAccess, approvalLimits, bonusPolicy, prices } = settingsDecider.initial;
  const members: Readonly<Record<Part, Members>> = {
    'admin-access': adminAccess,
    'approval-limits': limitsAsText(approvalLimits),
    'bonus-policy': { policy: bonusPolicy },
    content: {},
    'deposit-details': {},
    'dollar-rate': {},
    prices: pricesAsText(prices),
  };
  return members[kindOf(type).part][name] ?? null;
}

function viewOf(
  { id, type, revision, at, meta: { actor, reason }, data }: StreamEvent,
  people: Awaited<ReturnType<typeof accountsOf>>,
): Omit<SettingsHistory['items'][number], 'was'> {
  return {
    eventId: id,
    type,
    part: kindOf(type).part,
    revision,
    at,
    actor: { id: actor.id, role: actor.role, name: nameOf(people.get(actor.id), actor.role) },
    ...(reason === undefined ? {} : { reason }),
    data,
  };
}
