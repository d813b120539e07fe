export { CsvButton } from './csv-button';
