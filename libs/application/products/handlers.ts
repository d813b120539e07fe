import type { ApplicationParts } from '../parts.js';
import {
  GetProductByName,
  GetProductByNameHandler,
  GetProduct,
  GetProductHandler,
  ListProducts,
  ListProductsHandler,
} from './list.js';
import {
  ChangeProduct,
  ChangeProductHandler,
  CreateProduct,
  CreateProductHandler,
  DeleteProduct,
  DeleteProductHandler,
  SetProductStock,
  SetProductStockHandler,
} from './write.js';
import { handledBy } from '../message.js';

/** The handlers of what is offered. */
export function productHandlers(
  parts: Pick<ApplicationParts, 'aggregates' | 'readStore' | 'files' | 'clock'>,
) {
  return [
    handledBy(ChangeProduct, new ChangeProductHandler(parts)),
    handledBy(CreateProduct, new CreateProductHandler(parts)),
    handledBy(DeleteProduct, new DeleteProductHandler(parts)),
    handledBy(GetProductByName, new GetProductByNameHandler(parts)),
    handledBy(GetProduct, new GetProductHandler(parts)),
    handledBy(ListProducts, new ListProductsHandler(parts)),
    handledBy(SetProductStock, new SetProductStockHandler(parts)),
  ];
}
