export { FiguresPage } from './figures-page';
