import { once } from 'node:events';
import { run } from '../run.js';
import type { Settings } from '../settings.js';

/* The program with the settings that its parent sends it, until that lets go of it. */
const [settings] = (await once(process, 'message')) as [Settings];
const { address, firstAdminPath, stop } = await run(settings, () => undefined);
process.once('disconnect', () => void stop());
process.send?.({ address, firstAdminPath });
