import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, problem, renderApp, serve, to } from '../../testing';
import { ProductList, UploadProduct } from '.';

const idOf = (letter: string) => letter.repeat(35);
const product = {
  id: idOf('p'),
  amount: '249.99',
  ownerName: 'Ann',
  productName: 'Rig One',
  description: 'A rig.',
  title: 'Rig',
  subtitle: 'One',
  imageUrl: '/files/products/a.webp',
  ownerImage: '/files/products/b.webp',
  recommendedImages: [],
  images: { image: idOf('a'), ownerImage: idOf('b'), recommendedImages: [] },
  isActive: true,
  isOutOfStock: false,
  createdAt: '2026-05-03T14:02:00.000Z',
  position: '7',
};
const picture = new File(['x'], 'rig.png', { type: 'image/png' });
const uploaded = (letter: string) =>
  json({ fileId: idOf(letter), url: `/files/${letter}.webp`, message: 'ok' });

test('uploads a product once all eight that are needed are there', async () => {
  let images = 0;
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => problem(422, 'amount_invalid', 'Please enter a valid amount.'),
    () => json({ productId: product.id, position: '8', message: 'ok' }),
  ];
  const calls = serve({
    [to(adminRoutes.uploadProductImage)]: () => uploaded('ab'[images++] ?? 'c'),
    [to(adminRoutes.uploadRecommendedImage)]: () => uploaded('r'),
    [to(adminRoutes.createProduct)]: () => answers.shift()!(),
  });
  const { user } = renderApp(<UploadProduct />, { role: 'admin' });
  const send = () => user.click(screen.getByRole('button', { name: 'Upload product' }));
  await send();
  for (const what of ['Amount', 'Owner name', 'Product name', 'Description', 'Title', 'Subtitle'])
    expect(await screen.findByText(`${what} is required`)).toBeTruthy();
  const typed = {
    'Amount, USD': '249.99',
    'Owner name': 'Ann',
    'Product name': 'Rig One',
    Description: 'A rig.',
    Title: 'Rig',
    Subtitle: 'One',
  };
  for (const [label, text] of Object.entries(typed)) await user.type(screen.getByLabelText(label), text);
  await send();
  expect(await screen.findByText('Main image is required')).toBeTruthy();
  expect(screen.getByText('Owner image is required')).toBeTruthy();
  expect(calls).toEqual([]);
  for (const label of ['Main image', 'Owner image'])
    await user.upload(screen.getByLabelText(label, { selector: 'input' }), picture);
  await user.upload(screen.getByLabelText('Recommended images', { selector: 'input' }), picture);
  expect(await screen.findByAltText('Recommended images, 1')).toBeTruthy();
  for (const words of [
    'Error uploading product',
    'Please enter a valid amount.',
    'Product uploaded successfully!',
  ]) {
    await send();
    expect(await screen.findByText(words)).toBeTruthy();
  }
  const sent = calls.filter(({ name }) => name === to(adminRoutes.createProduct));
  expect(sent[0]?.body).toMatchObject({
    amount: '249.99',
    image: idOf('a'),
    ownerImage: idOf('b'),
    recommendedImages: [idOf('r')],
  });
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('a product goes out of stock, is changed, and is deleted after a question', async () => {
  const params = { productId: product.id };
  let items = [product];
  const done = (message: string) => json({ ...params, position: '8', message });
  const calls = serve({
    [to(adminRoutes.allProducts)]: () => json({ items, first: 1, next: null, previous: null }),
    [to(adminRoutes.setProductStock, params)]: () => {
      items = [{ ...product, isOutOfStock: true }];
      return done('ok');
    },
    [to(adminRoutes.changeProduct, params)]: () => done('ok'),
    [to(adminRoutes.deleteProduct, params)]: () => {
      items = [];
      return done('ok');
    },
  });
  const { user } = renderApp(<ProductList />, { role: 'admin' });
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Edit Rig One' }));
    return within(await screen.findByRole('dialog', { name: 'Rig One' }));
  };
  let dialog = await open();
  await user.click(dialog.getByRole('button', { name: 'Out of stock' }));
  expect(await dialog.findByRole('button', { name: 'Back in stock' })).toBeTruthy();
  const title = dialog.getByLabelText('Title');
  await user.clear(title);
  await user.type(title, 'Rig, new');
  await user.click(dialog.getByRole('button', { name: 'Save changes' }));
  expect((await screen.findAllByText('Product updated successfully!')).length).toBeGreaterThan(0);
  const changed = calls.find(({ name }) => name === to(adminRoutes.changeProduct, params));
  expect(changed?.body).toMatchObject({ title: 'Rig, new', image: idOf('a') });
  dialog = await open();
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Delete product' }));
  await user.click(asked.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Product deleted successfully!')).toBeTruthy();
  expect(await screen.findByText('No logs available.')).toBeTruthy();
});
