export { ReportHistory } from './report-history';
