import { startDouble } from './double.js';

const [file, port] = process.argv.slice(2);
await startDouble({ file, port: Number(port) });
// Without whoever started it there is nobody to answer.
process.on('disconnect', () => process.exit());
process.send?.('ready');
