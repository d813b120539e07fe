import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { positionOf, type Lanes } from '#kernel';
import {
  buildName,
  checkpointStart,
  idIndex,
  type Build,
  type Checkpoint,
  type ReadStore,
  type ReadStoreReader,
} from '#read-store';

/** What a test needs of an adapter that several may write, each some lanes. */
export type LanesFixture = {
  readonly open: (lanes: Lanes) => Promise<ReadStore>;
  readonly openReader: () => Promise<ReadStoreReader>;
  readonly cleanUp: () => Promise<void>;
};

const OF = 4;
const collection = { name: 'shared', version: 1, indexes: [] };
const at = (position: number): Checkpoint => ({ position: positionOf(position), ordinal: position });
const lanes = (...own: readonly number[]): Lanes => ({ of: OF, own });

/** What the port promises of lanes that several programs write at a time, run against an adapter. */
export function describeLanes(name: string, fixture: () => Promise<LanesFixture>): void {
  describe(`lanes of read models: ${name}`, () => {
    let engine: LanesFixture;
    let reader: ReadStoreReader;
    let build: Build;
    const opened: ReadStore[] = [];
    const open = async (...own: readonly number[]) => {
      const store = await engine.open(lanes(...own));
      opened.push(store);
      return store;
    };

    beforeAll(async () => {
      engine = await fixture();
      reader = await engine.openReader();
    });
    afterAll(async () => {
      await reader.close();
      for (const store of opened) await store.close();
      await engine.cleanUp();
    });

    const put = (store: ReadStore, id: string, position: number) =>
      store.write([
        { build, checkpoint: at(position), put: [{ id, position: positionOf(position) }], remove: [] },
      ]);
    const stateIn = async (store: Pick<ReadStore, 'builds'>) => {
      const state = (await store.builds()).find((one) => buildName(one.build) === buildName(build));
      return [state?.checkpoint.ordinal, ...(state?.lanes ?? []).map(({ ordinal }) => ordinal)];
    };
    const ids = async () => {
      const all = { index: idIndex, equals: {}, direction: 'ascending', limit: 100 } as const;
      return (await reader.list(collection.name, all)).map(({ id }) => id);
    };

    test('stand at places of their own, and queries see all documents as of the one furthest behind', async () => {
      const [low, high] = [await open(0, 1), await open(2, 3)];
      build = await low.begin(collection, { bulk: false });
      expect((await high.builds())[0]).toMatchObject({
        build,
        state: 'building',
        checkpoint: checkpointStart,
      });
      await put(low, 'a', 3);
      await put(high, 'b', 7);
      await low.activate(build);
      expect(await stateIn(low)).toEqual([3, 3, 3, 7, 7]);
      expect(await stateIn(high)).toEqual([7, 3, 3, 7, 7]);
      expect(await stateIn(reader)).toEqual([3, 3, 3, 7, 7]);
      expect(await reader.checkpoint(collection.name)).toEqual(at(3));
      expect(await ids()).toEqual(['a', 'b']);
    });

    test('are taken from one writer, who is refused with all of its own and may have those that are left', async () => {
      const [low, high] = [await open(0, 1), await open(2, 3)];
      await put(low, 'c', 5);
      const middle = await open(1, 2);
      for (const late of [low, high])
        await expect(put(late, 'late', 9)).rejects.toMatchObject({ code: 'conflict' });
      expect(await ids()).toEqual(['a', 'b', 'c']);
      // Begins where the first of the two stood; those that nobody has stay where they were.
      expect(await stateIn(middle)).toEqual([5, 5, 5, 5, 7]);
      await put(middle, 'd', 8);
      expect(await stateIn(reader)).toEqual([5, 5, 8, 8, 7]);
      const last = await open(3);
      await put(last, 'e', 9);
      await put(middle, 'f', 10);
      expect(await stateIn(reader)).toEqual([5, 5, 10, 10, 9]);
      expect(await ids()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    });

    test('have builds in common, whoever begins, swaps and removes them', async () => {
      const [low, high] = [await open(0, 1), await open(2, 3)];
      const before = build;
      const [one, two] = await Promise.all([
        low.begin(collection, { bulk: false }),
        high.begin(collection, { bulk: false }),
      ]);
      expect(new Set([before.number, one.number, two.number]).size).toBe(3);
      build = two;
      await put(low, 'x', 20);
      await put(high, 'y', 20);
      await high.activate(two);
      expect(await ids()).toEqual(['x', 'y']);
      await low.retire(one);
      for (const gone of [before, one]) while (!(await high.discard(gone)));
      // What is written to one that another has removed leaves nothing behind.
      await low
        .write([
          { build: before, checkpoint: at(30), put: [{ id: 'z', position: positionOf(30) }], remove: [] },
        ])
        .catch(() => undefined);
      expect((await low.builds()).map((state) => buildName(state.build))).toEqual([buildName(two)]);
      expect(await ids()).toEqual(['x', 'y']);
    });

    test('come together in one writer, at the place of the one furthest behind', async () => {
      const [low, high] = [await open(0, 1), await open(2, 3)];
      await put(low, 'low', 40);
      await put(high, 'high', 50);
      const all = await open(0, 1, 2, 3);
      expect(await stateIn(all)).toEqual([40, 40, 40, 40, 40]);
      await put(all, 'high', 50);
      expect(await stateIn(reader)).toEqual([50, 50, 50, 50, 50]);
      for (const late of [low, high])
        await expect(put(late, 'late', 60)).rejects.toMatchObject({ code: 'conflict' });
    });
  });
}
