export { openMongoFileCatalogue } from './catalogue.js';
