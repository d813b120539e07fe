import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProductView } from '#contracts';
import {
  createProduct,
  formOf,
  join,
  keyed,
  newProduct,
  PNG,
  problemIn,
  repeatable,
  startLode,
  upload,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

describe('products', () => {
  let lode: Lode;
  let admin: Person;
  let ann: Person;
  beforeAll(async () => {
    lode = await startLode();
    admin = lode.admin;
    ann = await join(lode.visitor, 'Ann');
  });
  afterAll(() => lode.stop());

  const at = (position: string) => ({ 'Lode-Position': position });
  const named = (name: string, position = '0') =>
    lode.visitor.fresh('productByName', { params: { name }, headers: at(position) });
  const change = (productId: string, body: object) =>
    admin.api.get('changeProduct', { params: { productId }, body, headers: keyed() });

  test('that an admin uploads is seen by everyone, with its images', async () => {
    const body = await newProduct(admin, 'First Rig');
    const answer = await admin.api.get('createProduct', { body, headers: keyed() });
    expect(answer.message).toBe('Product uploaded successfully!');
    expect(answer.productId).toMatch(/^[A-Za-z0-9]{35}$/);
    const ask = { params: { productId: answer.productId }, headers: at(answer.position) };
    const found = await lode.visitor.get('product', ask);
    const { image, ownerImage, recommendedImages, ...texts } = body;
    expect(found).toMatchObject({
      ...texts,
      id: answer.productId,
      isActive: true,
      isOutOfStock: false,
      images: { image, ownerImage, recommendedImages },
    });
    for (const url of [found.imageUrl, found.ownerImage, ...found.recommendedImages]) {
      const response = await fetch(lode.visitor.address + url);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
      await response.arrayBuffer();
    }
  });

  test('is found by its name whatever its case, the newest first', async () => {
    await createProduct(admin, 'Twin Rig');
    const { productId, position } = await createProduct(admin, 'TWIN rig');
    for (const name of ['Twin Rig', 'twin rig', ' TWIN RIG ', 'Ｔwin rig'])
      expect(((await named(name, position)).json as ProductView).id).toBe(productId);
    const gone = await admin.api.get('deleteProduct', { params: { productId }, headers: keyed() });
    expect(((await named('twin rig', gone.position)).json as ProductView).id).not.toBe(productId);
  });

  test.each(['No such rig', 'nor/this', '..', '%', '100 %', '', ' ', '\u0000', "'; DROP TABLE products; --"])(
    'that there is not is not found by its name: %j',
    async (name) => {
      const problem = problemIn(await named(name));
      expect([400, 404]).toContain(problem.status);
    },
  );

  test('may have a name as long as names are, in any script', async () => {
    const name = 'ж'.repeat(100);
    const { position } = await createProduct(admin, name);
    expect(((await named(name, position)).json as ProductView).productName).toBe(name);
  });

  test('changes what it is told to and keeps the rest; asked for what is so it changes nothing', async () => {
    const { productId } = await createProduct(admin, 'Changing Rig');
    const changed = await change(productId, { title: 'New', amount: '1', recommendedImages: [] });
    expect(changed.message).toBe('Product updated successfully!');
    expect(await change(productId, { title: 'New', amount: '1.00' })).toMatchObject({
      position: changed.position,
    });
    const ask = { params: { productId }, headers: at(changed.position) };
    expect(await lode.visitor.get('product', ask)).toMatchObject({
      productName: 'Changing Rig',
      title: 'New',
      amount: '1.00',
      recommendedImages: [],
      position: changed.position,
    });
  });

  test('that is not active is seen by admins only', async () => {
    const { productId } = await createProduct(admin, 'Hidden Rig');
    const { position } = await change(productId, { isActive: false });
    const headers = at(position);
    expect(problemIn(await lode.visitor.call('product', { params: { productId }, headers })).code).toBe(
      'product_not_found',
    );
    expect((await named('hidden rig', position)).status).toBe(404);
    const ids = ({ items }: { items: readonly ProductView[] }) => items.map(({ id }) => id);
    const query = { limit: '100' };
    expect(ids(await lode.visitor.get('products', { headers, query }))).not.toContain(productId);
    expect(ids(await admin.api.get('allProducts', { headers, query }))).toContain(productId);
  });

  test('goes out of stock and comes back', async () => {
    const { productId } = await createProduct(admin);
    for (const isOutOfStock of [true, false]) {
      const { position, message } = await admin.api.get('setProductStock', {
        params: { productId },
        body: { isOutOfStock },
        headers: keyed(),
      });
      expect(message).toBe('Product updated successfully!');
      const found = await lode.visitor.get('product', { params: { productId }, headers: at(position) });
      expect(found.isOutOfStock).toBe(isOutOfStock);
    }
  });

  test('that was deleted is gone, and stays so', async () => {
    const { productId } = await createProduct(admin);
    const remove = () => admin.api.get('deleteProduct', { params: { productId }, headers: keyed() });
    const { position, message } = await remove();
    expect(message).toBe('Product deleted successfully!');
    expect((await remove()).position).toBe(position);
    const ask = { params: { productId }, headers: at(position) };
    expect(problemIn(await lode.visitor.call('product', ask)).code).toBe('product_not_found');
    const late = { params: { productId }, body: { title: 'Late' }, headers: keyed() };
    expect(problemIn(await admin.api.call('changeProduct', late))).toMatchObject({
      status: 404,
      code: 'product_not_found',
    });
  });

  test('that is uploaded twice with one key is one product', async () => {
    const ask = { body: await newProduct(admin, 'Once'), headers: keyed() };
    const [first, second] = [
      await admin.api.call('createProduct', ask),
      await admin.api.call('createProduct', ask),
    ];
    expect(repeatable(second)).toBe(repeatable(first));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = { ...ask, body: { ...ask.body, title: 'Other' } };
    expect(problemIn(await admin.api.call('createProduct', other)).code).toBe('idempotency_key_reused');
  });

  test('are listed page by page, newest first', async () => {
    const made = [];
    for (let n = 0; n < 5; n++) made.unshift(await createProduct(admin, `Listed ${n}`));
    const headers = at(made[0]?.position ?? '0');
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && ids.length < 5;) {
      const query: Record<string, string> = cursor === '' ? { limit: '2' } : { limit: '2', cursor };
      const page = await lode.visitor.get('products', { query, headers });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    }
    expect(ids.slice(0, 5)).toEqual(made.map(({ productId }) => productId));
  });

  test.each([
    ['amount', 'Amount is required'],
    ['ownerName', 'Owner name is required'],
    ['productName', 'Product name is required'],
    ['description', 'Description is required'],
    ['title', 'Title is required'],
    ['subtitle', 'Subtitle is required'],
    ['image', 'Main image is required'],
    ['ownerImage', 'Owner image is required'],
  ])('without %s is refused, missing or blank', async (field, detail) => {
    const body = await newProduct(admin);
    for (const value of [undefined, '', '  ', 7]) {
      const ask = { body: { ...body, [field]: value }, headers: keyed() };
      expect(problemIn(await admin.api.call('createProduct', ask))).toMatchObject({
        status: 400,
        code: 'validation_failed',
        detail,
      });
    }
  });

  test('needs no recommended images', async () => {
    const { recommendedImages: _, ...body } = await newProduct(admin);
    await admin.api.get('createProduct', { body, headers: keyed() });
  });

  test.each(['0', '-1', '1e3', '0.001', 'ten', '92233720368547758.08'])(
    'of the amount %s is refused',
    async (amount) => {
      const body = { ...(await newProduct(admin)), amount };
      expect(problemIn(await admin.api.call('createProduct', { body, headers: keyed() }))).toMatchObject({
        status: 422,
        code: 'amount_invalid',
      });
    },
  );

  test('takes only images that were uploaded for it', async () => {
    const body = await newProduct(admin);
    const evidence = await upload(ann);
    const profile = (await admin.api.get('uploadProfileImage', { form: formOf(PNG) })).fileId;
    const [recommended = ''] = body.recommendedImages;
    const wrong = [
      ...[evidence, profile, recommended, 'A'.repeat(35)].flatMap((id) => [
        ['image', { image: id }] as const,
        ['ownerImage', { ownerImage: id }] as const,
      ]),
      ['recommendedImages.1', { recommendedImages: [recommended, body.image] }] as const,
    ];
    for (const [path, changed] of wrong) {
      const ask = { body: { ...body, ...changed }, headers: keyed() };
      const problem = problemIn(await admin.api.call('createProduct', ask));
      expect(problem).toMatchObject({ code: 'validation_failed', detail: 'Error uploading product' });
      expect(problem.errors?.map((issue) => issue.path)).toEqual([path]);
    }
  });

  test('is written by admins only', async () => {
    const { productId } = await createProduct(admin);
    for (const { api, code } of [
      { api: ann.api, code: 'not_permitted' },
      { api: lode.visitor, code: 'token_missing' },
    ]) {
      const params = { productId };
      const answers = [
        await api.call('createProduct', { body: await newProduct(admin), headers: keyed() }),
        await api.call('changeProduct', { params, body: { title: 'Mine' }, headers: keyed() }),
        await api.call('setProductStock', { params, body: { isOutOfStock: true }, headers: keyed() }),
        await api.call('deleteProduct', { params, headers: keyed() }),
        await api.call('allProducts'),
      ];
      expect(answers.map((answer) => problemIn(answer).code)).toEqual(Array(5).fill(code));
    }
  });
});
