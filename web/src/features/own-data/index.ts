export { CloseAccount } from './close-account';
export { DownloadData } from './download-data';
