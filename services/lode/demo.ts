import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLodeError, systemClock } from '#kernel';
import {
  createMovedClock,
  DEMO_DAYS,
  DEMO_ENVIRONMENT,
  DEMO_PASSWORD,
  DEMO_PIN,
  demoAdmin,
  demoCustomers,
  demoTeam,
  makeDemo,
  midnightBefore,
} from './demo/index.js';
import { run } from './run.js';
import { readSettings } from './settings.js';
import { stopWhenTold } from './stop.js';

/* The product on a folder that is thrown away, with customers and months of history made by real commands. */
const folder = await mkdtemp(join(tmpdir(), 'lode-demo-'));
try {
  const now = systemClock();
  const { clocks, moveTo } = createMovedClock(midnightBefore(now, DEMO_DAYS));
  const running = await run(
    readSettings(
      { ...process.env, ...DEMO_ENVIRONMENT, LODE_BACKUPS: join(folder, 'backups') },
      join(folder, 'data'),
    ),
    (step) => console.log(step),
    { clocks },
  );
  stopWhenTold({
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
    underWay: running.underWay,
    say: console.log,
  });
  console.log(`Making the demonstration’s customers and ${DEMO_DAYS} days of history …`);
  const invitation = running.firstAdminPath?.split('invitation=')[1] ?? '';
  await makeDemo({ address: running.address, invitation, moveTo, now });
  console.log(`Lode is ready at ${running.address}/login. Everything in it goes when it stops.`);
  console.log(`  admin     ${demoAdmin.email}, owner`);
  for (const { email, duty } of demoTeam) console.log(`  admin     ${email}, ${duty}`);
  for (const { email } of Object.values(demoCustomers)) console.log(`  customer  ${email}`);
  console.log(`  password  ${DEMO_PASSWORD} (everybody’s; the transfer pin is ${DEMO_PIN})`);
} catch (error) {
  await rm(folder, { recursive: true, force: true });
  console.error(isLodeError(error) ? error.message : error);
  process.exit(1);
}
