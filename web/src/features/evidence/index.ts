export { Evidence } from './evidence';
