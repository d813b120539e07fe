export { openSqliteFileCatalogue } from './catalogue.js';
