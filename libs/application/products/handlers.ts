import type { ApplicationParts } from '../parts.js';
import { GetProductByNameHandler, GetProductHandler, ListProductsHandler } from './list.js';
import {
  ChangeProductHandler,
  CreateProductHandler,
  DeleteProductHandler,
  SetProductStockHandler,
} from './write.js';

/** The handlers of what is offered. */
export function productHandlers(
  parts: Pick<ApplicationParts, 'aggregates' | 'readStore' | 'files' | 'clock'>,
) {
  return [
    new ChangeProductHandler(parts),
    new CreateProductHandler(parts),
    new DeleteProductHandler(parts),
    new GetProductByNameHandler(parts),
    new GetProductHandler(parts),
    new ListProductsHandler(parts),
    new SetProductStockHandler(parts),
  ];
}
