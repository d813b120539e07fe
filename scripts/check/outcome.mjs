// The outcomes of the parts of a check: one shape, one table, one closing line.

/** How many of the slowest files are named. */
const SLOWEST = 20;

/**
 * The outcome of a part of a check: counts, what did not run and why, suites on fake servers, and of Jest each file with its
 * seconds and each test with its status.
 */
export const empty = {
  passed: 0,
  failed: 0,
  skipped: 0,
  notRun: [],
  onFakeServers: [],
  files: [],
  results: [],
};

/** The outcome of something that passes or fails as one. */
export const passedOrFailed = (isGood) => ({ ...empty, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 });

/** The outcome of a part that can't run here, with the reason. */
export const leftOut = (reason) => ({ ...empty, skipped: 1, notRun: [reason] });

/** Several outcomes as one. */
export function together(outcomes) {
  const total = (of) => outcomes.reduce((sum, outcome) => sum + outcome[of], 0);
  const all = (of) => outcomes.flatMap((outcome) => outcome[of]);
  return {
    passed: total('passed'),
    failed: total('failed'),
    skipped: total('skipped'),
    notRun: all('notRun'),
    onFakeServers: all('onFakeServers'),
    files: all('files'),
    results: all('results'),
  };
}

/** Seconds as `m:ss`. */
export function duration(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function table(parts) {
  const rows = [
    ['part', 'passed', 'failed', 'not run', 'time'],
    ...parts.map(({ name, passed, failed, skipped, seconds }) => [
      name,
      ...[passed, failed, skipped].map(String),
      duration(seconds),
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = ([name, ...cells]) =>
    [name.padEnd(widths[0]), ...cells.map((cell, n) => cell.padStart(widths[n + 1]))].join('  ');
  return rows.map(line).join('\n');
}

function list(heading, lines) {
  if (lines.length > 0) console.log(`\n${heading}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/**
 * Prints the parts of a check with their times, the slowest files, what did not run, and last the line that counts
 * everything. The exit code is 1 where something failed, or where nothing passed.
 */
export function conclude(parts, { command, aim }, seconds) {
  const { passed, failed, skipped, notRun, onFakeServers, files } = together(parts);
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  list('On a fake server, which proves nothing about the server itself', onFakeServers);
  list('Not run', notRun);
  list(
    'The slowest files',
    slowest.map(({ file, seconds: of }) => `${duration(of).padStart(6)}  ${file}`),
  );
  console.log(`\n${table(parts)}`);
  console.log(`\n${command} took ${duration(seconds)} after install and build. The aim is ${aim}.`);
  const failures = passed === 0 ? Math.max(1, failed) : failed;
  console.log(`\n${passed} passed, ${failures} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  process.exitCode = failures === 0 ? 0 : 1;
}
