import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useMay } from '../../features/duty';
import { ProductList } from '../../features/products';
import { paths } from '../paths';
import { useScreen } from '../shell';
import styles from './products.module.css';

/** `/upload/product`. */
export default function Products() {
  useScreen('Products');
  const mayUpload = useMay('write the site');
  return (
    <>
      {mayUpload && (
        <div className={styles.head}>
          <Button component={Link} to={paths.uploadProduct}>
            Upload product
          </Button>
        </div>
      )}
      <ProductList />
    </>
  );
}
