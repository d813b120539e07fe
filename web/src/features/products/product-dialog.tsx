import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ProductView } from '#contracts';
import { refusalOf } from '../../api';
import { displayMoney, useKey } from '../../lib';
import { Dialog, notifyError, notifySuccess } from '../../ui';
import { ActDialog } from '../acts';
import { ForDuty } from '../duty';
import { useChangeProductMutation, useDeleteProductMutation, useSetProductStockMutation } from './api';
import { ChangeProduct } from './product-form';
import styles from './products.module.css';

const FAILED = 'Something went wrong.';
const UPDATED = 'Product updated successfully!';
/** In pixels. */
const WIDTH = 640;

type Props = { readonly product: ProductView; readonly onClose: () => void };

/** What can be done with a product: changed, switched, deleted. */
export default function ProductDialog({ product, onClose }: Props) {
  const [isDeleting, setDeleting] = useState(false);
  const [remove] = useDeleteProductMutation();
  if (isDeleting)
    return (
      <ActDialog
        title="Delete product"
        act="Delete"
        warns
        reason="none"
        about={product.id}
        send={(input) => remove({ productId: product.id, ...input })}
        done="Product deleted successfully!"
        failed={FAILED}
        onDone={onClose}
        onClose={() => setDeleting(false)}
      >
        <p>
          {product.productName} of {product.ownerName}, {displayMoney(product.amount, 'USD')} USD, is taken
          off the site for good. Its page is gone, too.
        </p>
      </ActDialog>
    );
  return (
    <Dialog title={product.productName} width={WIDTH} onClose={onClose}>
      <ForDuty act="write the site">
        <div className={`dialog-body ${styles.managed ?? ''}`}>
          <div className={styles.acts}>
            <Switches product={product} />
            <Button variant="subtle" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </div>
          <ChangeProduct product={product} onDone={onClose} />
        </div>
      </ForDuty>
    </Dialog>
  );
}

/** What is changed by one press, and back by another. */
function Switches({ product: { id: productId, isActive, isOutOfStock } }: Pick<Props, 'product'>) {
  const [change, changing] = useChangeProductMutation();
  const [stock, stocking] = useSetProductStockMutation();
  const key = useKey();
  const isBusy = changing.isLoading || stocking.isLoading;
  const onSwitch = async (what: 'stock' | 'active') => {
    const idempotencyKey = key.of([what, isActive, isOutOfStock]);
    const { error } =
      what === 'stock'
        ? await stock({ productId, isOutOfStock: !isOutOfStock, idempotencyKey })
        : await change({ productId, isActive: !isActive, idempotencyKey });
    if (error === undefined) {
      key.done();
      notifySuccess(UPDATED);
      return;
    }
    const refusal = refusalOf(error, { failed: FAILED });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  return (
    <>
      <Button variant="default" disabled={isBusy} onClick={() => void onSwitch('stock')}>
        {isBusy ? 'Please wait' : isOutOfStock ? 'Back in stock' : 'Out of stock'}
      </Button>
      <Button variant="default" disabled={isBusy} onClick={() => void onSwitch('active')}>
        {isBusy ? 'Please wait' : isActive ? 'Hide from visitors' : 'Show to visitors'}
      </Button>
    </>
  );
}
