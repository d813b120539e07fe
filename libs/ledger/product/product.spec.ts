import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantViolation, isLodeError } from '#kernel';
import {
  MAX_MINOR,
  productDecider,
  productStream,
  type Product,
  type ProductCommand,
  type ProductFields,
} from '#ledger';
import { anyMinor } from '#ledger/testing';

const { decide: decideAt, evolve, initial } = productDecider;
const NOW = '2026-02-01T00:00:00.000Z';
const decide = (command: ProductCommand, state: Product) => decideAt(command, state, NOW);

const fields: Omit<ProductFields, 'isActive'> = {
  amount: 24_999n,
  ownerName: 'Mary Okafor',
  productName: 'Rig One',
  description: 'Six cards, quiet.',
  title: 'A rig for a start',
  subtitle: 'Ready to run',
  image: 'i1',
  ownerImage: 'o1',
  recommendedImages: ['r1', 'r2'],
};
const creating = { type: 'CreateProduct', productId: 'p1', fields } as const;
const deleting = { type: 'DeleteProduct' } as const;

function after(...commands: readonly ProductCommand[]): Product {
  return commands.reduce<Product>((state, one) => decide(one, state).reduce(evolve, state), initial);
}

const changedFields: fc.Arbitrary<Partial<ProductFields>> = fc.record(
  {
    amount: anyMinor(),
    ownerName: fc.constantFrom('Mary Okafor', 'Jonas Lindqvist'),
    productName: fc.constantFrom('Rig One', 'Rig Two'),
    description: fc.string(),
    title: fc.string(),
    subtitle: fc.string(),
    image: fc.constantFrom('i1', 'i2'),
    ownerImage: fc.constantFrom('o1', 'o2'),
    recommendedImages: fc.array(fc.constantFrom('r1', 'r2'), { maxLength: 3 }),
    isActive: fc.boolean(),
  },
  { requiredKeys: [] },
);
const anyCommand: fc.Arbitrary<ProductCommand> = fc.oneof(
  fc.constantFrom<ProductCommand>(
    creating,
    { ...creating, fields: { ...fields, productName: 'Rig Two' } },
    deleting,
  ),
  fc.record({ type: fc.constant('ChangeProduct'), fields: changedFields }),
  fc.record({ type: fc.constant('SetProductStock'), isOutOfStock: fc.boolean() }),
);

/** What a decision gives; nothing when it refuses. */
function taken(command: ProductCommand, state: Product) {
  try {
    return decide(command, state);
  } catch (error) {
    if (isLodeError(error)) return [];
    throw error;
  }
}
const step = (state: Product, command: ProductCommand) => taken(command, state).reduce(evolve, state);

describe('a product', () => {
  test('is created active and in stock', () => {
    expect(productStream('p1')).toBe('product-p1');
    expect(decide(creating, initial)).toEqual([
      {
        type: 'ProductCreated',
        data: { productId: 'p1', ...fields, amount: 24_999n, isActive: true, isOutOfStock: false },
      },
    ]);
  });

  test('records the fields that changed and no others', () => {
    const command = { type: 'ChangeProduct', fields: { ...fields, title: 'New', isActive: false } } as const;
    expect(decide(command, after(creating))).toEqual([
      { type: 'ProductChanged', data: { title: 'New', isActive: false } },
    ]);
  });

  test('tells another order of recommended images from the same', () => {
    const change = (recommendedImages: readonly string[]) =>
      decide({ type: 'ChangeProduct', fields: { recommendedImages } }, after(creating));
    expect(change(['r1', 'r2'])).toEqual([]);
    expect(change(['r2', 'r1'])).toHaveLength(1);
    expect(change(['r1'])).toHaveLength(1);
    expect(change([])).toHaveLength(1);
  });

  test('goes out of stock and comes back', () => {
    const set = (isOutOfStock: boolean) => ({ type: 'SetProductStock', isOutOfStock }) as const;
    expect(after(creating, set(true))).toMatchObject({ isOutOfStock: true });
    expect(after(creating, set(true), set(false))).toEqual(after(creating));
  });

  test.each([0n, -1n, MAX_MINOR + 1n])('refuses an amount that is none: %d', (amount) => {
    const refusal = expect.objectContaining({ code: 'amount_invalid' });
    expect(() => decide({ ...creating, fields: { ...fields, amount } }, initial)).toThrow(refusal);
    expect(() => decide({ type: 'ChangeProduct', fields: { amount } }, after(creating))).toThrow(refusal);
  });

  test.each<ProductCommand>([
    { type: 'ChangeProduct', fields: { title: 'New' } },
    { type: 'SetProductStock', isOutOfStock: true },
  ])('that is not there or deleted changes no more: $type', (command) => {
    const refusal = expect.objectContaining({ code: 'product_not_found' });
    expect(() => decide(command, initial)).toThrow(refusal);
    expect(() => decide(command, after(creating, deleting))).toThrow(refusal);
  });

  test('is deleted once, and never was when nobody made it', () => {
    expect(after(creating, deleting)).toEqual({ kind: 'deleted', productId: 'p1' });
    expect(decide(deleting, after(creating, deleting))).toEqual([]);
    expect(() => decide(deleting, initial)).toThrow(expect.objectContaining({ code: 'product_not_found' }));
  });

  test('is not created over another one, nor over what was deleted', () => {
    const other = { ...creating, fields: { ...fields, title: 'Another' } };
    const refusal = expect.objectContaining({ code: 'product_exists' });
    expect(() => decide(other, after(creating))).toThrow(refusal);
    expect(() => decide(creating, after(creating, deleting))).toThrow(refusal);
  });

  test('asked for what is already so gives no events', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 12 }), anyCommand, (before, command) => {
        const state = [...before, command].reduce(step, initial);
        expect(taken(command, state)).toEqual([]);
      }),
    );
  });

  test('is what was last asked for', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 12 }), changedFields, (before, wanted) => {
        const state = before.reduce(step, after(creating));
        fc.pre(state.kind === 'stored' && (wanted.amount ?? 1n) > 0n);
        const { amount: _, ...others } = wanted;
        expect(step(state, { type: 'ChangeProduct', fields: wanted })).toMatchObject({ fields: others });
      }),
    );
  });

  test('folding what no decision gives stops', () => {
    const created = decide(creating, initial);
    const gone = decide(deleting, after(creating));
    expect(() => created.reduce(evolve, after(creating))).toThrow(InvariantViolation);
    expect(() => gone.reduce(evolve, initial)).toThrow(InvariantViolation);
    expect(() => gone.reduce(evolve, after(creating, deleting))).toThrow(InvariantViolation);
  });
});
