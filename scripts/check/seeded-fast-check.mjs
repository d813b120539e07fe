// What tests import as `fast-check`: the same, with the seed of this run.
import fc from '../../node_modules/fast-check/lib/fast-check.js';

const seed = process.env.LODE_TEST_SEED;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;
