export { PricesForm } from './prices-form';
