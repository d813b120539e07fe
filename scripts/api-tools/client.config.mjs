// What the generator of the client is told. Imports are with their ending, as Node wants them.
export default {
  input: 'openapi.json',
  output: { path: 'client', module: { extension: '.js' } },
  logs: { file: false },
};
