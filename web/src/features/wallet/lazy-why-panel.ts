import { later } from '../../ui';

/** The panel of a balance; its code comes with the first balance that is asked about, and the page stays meanwhile. */
export const WhyPanel = later(async () => ({ default: (await import('./why-panel')).WhyPanel }));
