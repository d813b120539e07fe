import { Link } from 'react-router';
import { UploadProduct } from '../../features/products';
import { paths } from '../paths';
import { useScreen } from '../shell';
import styles from './products.module.css';

/** `/upload/admin`. */
export default function UploadProductScreen() {
  useScreen('Upload product');
  return (
    <div className={styles.form}>
      <p>
        <Link className="action" to={paths.productList}>
          All products
        </Link>
      </p>
      <UploadProduct />
    </div>
  );
}
