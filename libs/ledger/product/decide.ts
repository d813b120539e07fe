import { LodeError, unreachable } from '#kernel';
import { fits, INVALID_AMOUNT, type Minor } from '../money.js';
import type { ProductEvent, ProductFields } from './events.js';
import type { Product, StoredProduct } from './state.js';

export type ProductCommand =
  | {
      readonly type: 'CreateProduct';
      readonly productId: string;
      /** A new product is seen by visitors and in stock (specification, section 4). */
      readonly fields: Omit<ProductFields, 'isActive'>;
    }
  /** What is left out stays as it is. */
  | { readonly type: 'ChangeProduct'; readonly fields: Partial<ProductFields> }
  | { readonly type: 'SetProductStock'; readonly isOutOfStock: boolean }
  | { readonly type: 'DeleteProduct' };

/** What a product answers to a command. Refuses with `amount_invalid`, `product_exists`, `product_not_found`. */
export function decide(command: ProductCommand, state: Product): readonly ProductEvent[] {
  if (command.type === 'CreateProduct') return create(command, state);
  if (command.type === 'DeleteProduct' && state.kind === 'deleted') return [];
  if (state.kind !== 'stored') throw new LodeError('product_not_found', 'This product does not exist.');
  switch (command.type) {
    case 'ChangeProduct': {
      const data = differences(state.fields, checked(command.fields));
      return Object.keys(data).length === 0 ? [] : [{ type: 'ProductChanged', data }];
    }
    case 'SetProductStock': {
      const { isOutOfStock } = command;
      if (isOutOfStock === state.isOutOfStock) return [];
      return [{ type: 'ProductStockChanged', data: { isOutOfStock } }];
    }
    case 'DeleteProduct':
      return [{ type: 'ProductDeleted', data: {} }];
    default:
      return unreachable(command);
  }
}

function create(
  { productId, fields }: Extract<ProductCommand, { type: 'CreateProduct' }>,
  state: Product,
): readonly ProductEvent[] {
  const data = { productId, ...checked(fields), isActive: true, isOutOfStock: false };
  if (state.kind === 'none') return [{ type: 'ProductCreated', data }];
  if (state.kind === 'stored' && isAsCreated(state, data)) return [];
  throw new LodeError('product_exists', 'This product exists already.');
}

function isAsCreated(
  state: StoredProduct,
  { isOutOfStock, ...fields }: ProductFields & { readonly isOutOfStock: boolean },
) {
  return state.isOutOfStock === isOutOfStock && Object.keys(differences(state.fields, fields)).length === 0;
}

/** Of some fields those that are other than they were; nothing that is no field of a product. */
function differences(before: ProductFields, after: Partial<ProductFields>): Partial<ProductFields> {
  const names = (Object.keys(before) as (keyof ProductFields)[]).filter((name) => {
    const value = after[name];
    return value !== undefined && !isSame(before[name], value);
  });
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}

type Value = ProductFields[keyof ProductFields];

function isSame(one: Value, two: Value): boolean {
  if (typeof one !== 'object' || typeof two !== 'object') return one === two;
  return one.length === two.length && one.every((part, n) => part === two[n]);
}

/** The fields, when their price will do. */
function checked<Fields extends { readonly amount?: Minor }>(fields: Fields): Fields {
  const { amount } = fields;
  if (amount !== undefined && (amount <= 0n || !fits(amount)))
    throw new LodeError('amount_invalid', INVALID_AMOUNT);
  return fields;
}
