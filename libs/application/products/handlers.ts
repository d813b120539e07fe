import type { ApplicationParts } from '../parts.js';
import {
  ChangeProductHandler,
  CreateProductHandler,
  DeleteProductHandler,
  SetProductStockHandler,
} from './write.js';

/** The handlers of what is offered. */
export function productHandlers(parts: ApplicationParts) {
  return [
    new ChangeProductHandler(parts),
    new CreateProductHandler(parts),
    new DeleteProductHandler(parts),
    new SetProductStockHandler(parts),
  ];
}
