import './widget.css';
import { showFigures } from './figures';

/** The script of the widget. Within somebody's page it doesn't say how to put it there. */
if (window.top !== window) document.querySelector('[data-embed]')?.remove();
await showFigures();
