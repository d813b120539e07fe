export { UploadProduct } from './product-form';
export { ProductList } from './product-list';
