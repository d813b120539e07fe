export { CsvButton, FileButton } from './csv-button';
