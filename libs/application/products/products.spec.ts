import { beforeEach, describe, expect, test } from '@jest/globals';
import { productStream } from '#ledger';
import { admin, contextOf, createWorld } from '../testing/index.js';
import { ChangeProduct, ChangeProductHandler, CreateProduct, CreateProductHandler } from './write.js';

const PRODUCT = 'product-1';

describe('products', () => {
  let world: ReturnType<typeof createWorld>;
  let parts: ConstructorParameters<typeof CreateProductHandler>[0];
  beforeEach(() => {
    world = createWorld();
    // No query has seen the product yet: its images count by when they were uploaded alone.
    parts = { ...world, readStore: { get: async () => undefined } };
    world.upload('front', 'ann', 'product-image');
  });

  const fields = {
    amount: 12_345n,
    ownerName: 'Ann',
    productName: 'rig',
    description: 'A rig.',
    title: 'Rig',
    subtitle: 'of hers',
    image: 'front',
    ownerImage: 'front',
    recommendedImages: [],
  };
  const create = () => new CreateProduct(contextOf(admin, 'create'), PRODUCT, fields);
  const count = async () => (await world.eventStore.readStream(productStream(PRODUCT), { limit: 10 })).length;

  test('one that is created twice under one key is the first one again, also when its images are gone', async () => {
    const handler = new CreateProductHandler(parts);
    const first = await handler.execute(create());
    world.uploaded.clear();
    expect(await handler.execute(create())).toEqual({ ...first, replayed: true });
    expect(await count()).toBe(1);
  });

  test('one whose images are not there is refused, image by image, and nothing is written', async () => {
    world.uploaded.clear();
    await expect(new CreateProductHandler(parts).execute(create())).rejects.toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'image' }, { path: 'ownerImage' }],
    });
    expect(await count()).toBe(0);
  });

  test('a change that is sent again is answered again, also when its image is gone', async () => {
    await new CreateProductHandler(parts).execute(create());
    world.upload('back', 'ann', 'product-image');
    const handler = new ChangeProductHandler(parts);
    const to = () => new ChangeProduct(contextOf(admin, 'change'), PRODUCT, { image: 'back' });
    const first = await handler.execute(to());
    world.uploaded.clear();
    expect(await handler.execute(to())).toEqual({ ...first, replayed: true });
    expect(await count()).toBe(2);
  });
});
