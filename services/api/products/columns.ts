import type { ProductView } from '#contracts';
import type { Columns } from '../http/csv.js';

/** A product as a line of a file. */
export const productColumns: Columns<ProductView> = [
  ['id', ({ id }) => id],
  ['createdAt', ({ createdAt }) => createdAt],
  ['productName', ({ productName }) => productName],
  ['amountUsd', ({ amount }) => amount],
  ['ownerName', ({ ownerName }) => ownerName],
  ['title', ({ title }) => title],
  ['subtitle', ({ subtitle }) => subtitle],
  ['description', ({ description }) => description],
  ['isActive', ({ isActive }) => isActive],
  ['isOutOfStock', ({ isOutOfStock }) => isOutOfStock],
  ['imageUrl', ({ imageUrl }) => imageUrl],
];
