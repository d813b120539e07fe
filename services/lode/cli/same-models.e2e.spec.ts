import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openEngines, type Inspection } from '#engines';
import { canonicalJson, logStart, sortablePosition, type Json, type Position } from '#kernel';
import { describeWhere } from '#kernel/testing';
import { walletModels, type ReadModel } from '#projections';
import { idIndex, type Document, type Index } from '#read-store';
import { readSettings } from '../settings.js';
import {
  credit,
  dataFolders,
  deploymentOn,
  fillFromRecorded,
  invitationIn,
  join,
  keyed,
  recorded,
  signIn,
  startServers,
  testedOn,
  type Deployment,
  type Servers,
} from '../testing/index.js';

/** Fewer than most lists have, so that they are read in several pages. */
const PAGE = 7;
/** More events than the log has. */
const EVENTS_MAX = 1_000;
/** Characters of a `sortablePosition`. */
const SORTABLE = sortablePosition(logStart).length;

/** The read models of a deployment, in which each position, and each id made of one, is the ordinal of its event. */
type Side = {
  readonly positions: readonly Position[];
  readonly models: NonNullable<Awaited<ReturnType<Inspection['openModels']>>>;
  readonly plain: (document: Document) => string;
  readonly close: () => Promise<void>;
};

const { newFolder, removeFolders } = dataFolders();
let servers: Servers;
let sides: readonly [Side, Side];

/** Has adjustments, and a change, wait for a second admin, which the recorded log is too old to know of. */
async function propose(folder: Deployment): Promise<void> {
  const { child, ended, visitor } = await folder.start();
  const ada = await signIn(visitor, recorded.people['Ada']!);
  const { path } = await ada.api.get('inviteAdmin', { headers: keyed() });
  const ivy = await join(visitor, 'Ivy', invitationIn(path));
  const limit = async (above: string) => {
    const body = { tiers: { BTC: [{ above, approvals: 2 }] }, reason: 'As agreed.' };
    const { changeId } = await ada.api.get('setApprovalLimits', { body, headers: keyed() });
    return changeId ?? '';
  };
  const params = { changeId: await limit('1000.00') };
  await ivy.api.get('approveChange', { params, body: {}, headers: keyed() });
  await limit('2000.00');
  for (const name of ['Ann', 'Bob']) await credit(ada, recorded.people[name]!, { BTC: '1000.01' });
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
}

/** Moves the recorded log, and what came after it, to the servers, and has each side fold it. */
async function fold(): Promise<readonly [Deployment, Deployment]> {
  const folder = deploymentOn(newFolder());
  await fillFromRecorded(folder.folder);
  await propose(folder);
  servers = await startServers(['eventstore', 'mongodb']);
  const onServers = deploymentOn(newFolder(), servers.env);
  expect((await folder.lode('rebuild')).code).toBe(0);
  expect((await onServers.lode('migrate', 'from', folder.folder)).code).toBe(0);
  expect((await onServers.lode('rebuild')).code).toBe(0);
  return [folder, onServers];
}

async function sideOf({ folder, env }: Deployment): Promise<Side> {
  const engines: Inspection = await openEngines(readSettings({ ...env, LODE_DATA: folder }), 'inspect');
  const log = await engines.openLog();
  const positions = (await log.readAll(logStart, EVENTS_MAX)).map(({ position }) => position);
  await log.close();
  const models = await engines.openModels();
  if (models === undefined) throw new Error('there are read models');
  const ordinals = new Map(positions.map((position, n) => [position, `#${n + 1}`]));
  ordinals.set(logStart, '#0');
  const sortable = new Map([...ordinals].map(([position, ordinal]) => [sortablePosition(position), ordinal]));
  const replaced = (value: Json | undefined): Json | undefined => {
    if (typeof value === 'string') {
      const ordinal = sortable.get(value.slice(-SORTABLE));
      return ordinal === undefined ? value : value.slice(0, -SORTABLE) + ordinal;
    }
    if (Array.isArray(value)) return value.map((one: Json) => replaced(one) ?? null);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one) ?? null]));
  };
  return {
    positions,
    models,
    plain: ({ position, ...rest }) =>
      canonicalJson({ ...Object(replaced(rest)), position: ordinals.get(position) ?? position }),
    close: async () => {
      await models.close();
      await engines.close();
    },
  };
}

/** A whole list, page by page. */
async function listed(
  { models, plain }: Side,
  collection: string,
  { name, order }: Pick<Index, 'name' | 'order'>,
  rest: {
    readonly equals: Readonly<Record<string, string>>;
    readonly direction: 'ascending' | 'descending';
  },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after: readonly string[] | undefined; ;) {
    const page: readonly Document[] = await models.list(collection, {
      index: name,
      limit: PAGE,
      ...rest,
      ...(after === undefined ? {} : { after }),
    });
    found.push(...page.map(plain));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = [...order.map((field) => String(last[field])), last.id];
  }
}

/** The documents of a collection in the order of their ids. */
const all = (side: Side, { name }: ReadModel) =>
  listed(side, name, { name: idIndex, order: [] }, { equals: {}, direction: 'ascending' });

/** Whatever a query of an index may fix, by the documents that there are: its fields, and each filter by itself. */
function questions(documents: readonly Readonly<Record<string, Json>>[], { equals, filters = [] }: Index) {
  const fixed = [equals, ...filters.map((filter) => [...equals, filter])];
  const asked = fixed.flatMap((fields) =>
    documents
      .filter((document) => fields.every((field) => typeof document[field] === 'string'))
      .map((document) => Object.fromEntries(fields.map((field) => [field, String(document[field])]))),
  );
  return [...new Map(asked.map((one) => [canonicalJson(one), one])).values()];
}

describeWhere(
  testedOn.length === 0,
  'read models of a log that was moved (double)',
  'LODE_TEST_ON names servers',
  () => {
    beforeAll(async () => {
      const [folder, onServers] = await fold();
      sides = [await sideOf(folder), await sideOf(onServers)];
    });
    afterAll(async () => {
      for (const side of sides) await side.close();
      await servers.stop();
      await removeFolders();
    });

    test('stand at other positions', () => {
      const [here, there] = sides.map(({ positions }) => positions);
      expect(there).toHaveLength(here?.length ?? 0);
      // By ones from one, and by nothing that is counted.
      expect(here?.at(-1)).toBe(String(here?.length));
      expect(there?.filter((position) => here?.includes(position))).toEqual([]);
    });

    test.each(walletModels.map((model) => [model.name, model] as const))(
      'have the same documents of %s, in the same lists',
      async (_, model) => {
        const [here, there] = sides;
        const documents = await all(here, model);
        expect(documents.length).toBeGreaterThan(0);
        expect(await all(there, model)).toEqual(documents);
        const parsed = documents.map((text) => JSON.parse(text) as Record<string, Json>);
        let rows = 0;
        for (const index of model.indexes)
          for (const equals of questions(parsed, index))
            for (const direction of ['ascending', 'descending'] as const) {
              const list = await listed(here, model.name, index, { equals, direction });
              expect({
                index,
                equals,
                list: await listed(there, model.name, index, { equals, direction }),
              }).toEqual({
                index,
                equals,
                list,
              });
              rows += list.length;
            }
        expect(rows > 0).toBe(model.indexes.length > 0);
      },
    );
  },
);
