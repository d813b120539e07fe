// Checks that the tests which the specification names exist. It reads their sources and needs no build.
import { missingTests } from './lib/missing-tests.mjs';
import { lines } from './specification/index.mjs';

const faults = missingTests(lines);
if (faults.length === 0) console.log(`The specification: ${lines.length} lines, each with tests that exist`);
else console.log(`The specification has faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
