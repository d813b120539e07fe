import { startDouble } from './double.js';

const [file, port] = process.argv.slice(2);
const server = await startDouble({ file, port: Number(port) });
// Without whoever started it there is nobody to answer.
process.on('disconnect', () => process.exit());
process.send?.({ port: server.port });
