// The three levels of the check, and the end-to-end files of the two short ones. CONTRIBUTING.md explains when to run which.

/** The seed of fast-check and of all drawn work; `npm run test:all` draws another each time. */
export const SEED = '20260101';

/** The most end-to-end files that `npm test` runs. */
export const END_TO_END_MAX = 12;

/**
 * The end-to-end files of `npm test`, each with what it covers. `.ci/run` runs those with `onServers` once more on all four
 * servers. All other end-to-end files run in `npm run test:all` only.
 */
export const endToEnd = [
  { file: 'web/e2e/journey.e2e.spec.ts', covers: 'a first funding', onServers: true },
  {
    file: 'web/e2e/requests.e2e.spec.ts',
    covers: 'a withdrawal, and a transfer between two customers',
    onServers: true,
  },
  { file: 'web/e2e/second-factor.e2e.spec.ts', covers: 'sign-in with a second factor' },
  { file: 'web/e2e/admin-approvals.e2e.spec.ts', covers: 'an approval by two admins', onServers: true },
  { file: 'web/e2e/admin-audit.e2e.spec.ts', covers: 'the audit trail of a request', onServers: true },
  {
    file: 'services/lode/deaths/kill.e2e.spec.ts',
    covers: 'kill -9: one program, or on servers one of two of each program',
    onServers: true,
  },
  { file: 'services/lode/cli/backup-restore.e2e.spec.ts', covers: 'a backup and its restore' },
  {
    file: 'services/lode/programs/rebuild.e2e.spec.ts',
    covers: 'a projection rebuilt while in use',
    onServers: true,
  },
  { file: 'web/e2e/site-without-scripts.e2e.spec.ts', covers: 'the public site without JavaScript' },
  { file: 'web/e2e/keyboard-money.e2e.spec.ts', covers: 'a journey by keyboard' },
  { file: 'web/e2e/accessibility.e2e.spec.ts', covers: 'accessibility of the main screens in both themes' },
];

/** How each level is run, and how long it aims to take after install and build. An aim never fails a run. */
export const levels = {
  test: { command: 'npm test', aim: '10 minutes where the count of .ci/run takes 200 ms' },
  ci: { command: '.ci/run', aim: '15 minutes where its count takes 200 ms, 45 where it takes 700 ms' },
  all: { command: 'npm run test:all', aim: 'two hours' },
};
