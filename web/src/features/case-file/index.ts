export { CaseFile } from './case-file';
