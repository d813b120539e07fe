export { ContentEditor } from './content-editor';
export { ContentVersions } from './content-versions';
