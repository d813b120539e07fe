import { useState } from 'react';
import type { ProductView } from '#contracts';
import { detailOf } from '../../api';
import { displayMoney, useAddress } from '../../lib';
import { DataList, later, When, type DataColumn } from '../../ui';
import { useMay } from '../duty';
import { useAllProductsQuery } from './api';
import styles from './products.module.css';

const ProductDialog = later(() => import('./product-dialog'));
const none = [] as const;

/** Whether visitors see a product, and can have it. */
function standingOf({ isActive, isOutOfStock }: ProductView): string {
  return `${isActive ? 'Shown' : 'Hidden'}, ${isOutOfStock ? 'out of stock' : 'in stock'}`;
}

const columns: readonly DataColumn<ProductView>[] = [
  { head: 'Created', place: 'date', width: '14ch', cell: ({ createdAt }) => <When iso={createdAt} /> },
  {
    head: 'Product',
    place: 'lead',
    width: '20ch',
    cell: ({ imageUrl, productName }) => (
      <span className={styles.named}>
        <img src={imageUrl} alt="" width={32} height={32} loading="lazy" />
        {productName}
      </span>
    ),
  },
  { head: 'Owner', place: 'more', width: '14ch', cell: ({ ownerName }) => ownerName },
  { head: 'Status', place: 'state', width: '18ch', cell: standingOf },
  {
    head: 'Amount, USD',
    place: 'figure',
    width: '8ch',
    cell: ({ amount }) => displayMoney(amount, 'USD'),
  },
];

/** All products, also those that visitors don't see; a row opens one to change it. */
export function ProductList() {
  const { values, set } = useAddress(none);
  const [opened, setOpened] = useState<ProductView>();
  const mayEdit = useMay('write the site');
  const { data, error, refetch } = useAllProductsQuery({ cursor: values.cursor });
  const current = opened && (data?.items.find(({ id }) => id === opened.id) ?? opened);
  return (
    <>
      <DataList
        label="Products"
        columns={columns}
        page={data}
        failure={error && { detail: detailOf(error), onRetry: () => void refetch() }}
        keyOf={({ id }) => id}
        selected={opened?.id}
        opens={{ word: mayEdit ? 'Edit' : 'View', name: ({ productName }) => productName, open: setOpened }}
        onGo={(cursor) => set({ cursor })}
      />
      {current !== undefined && (
        <ProductDialog key={current.id} product={current} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
