import { pino, stdSerializers, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/**
 * The program's own log, on its output where no other destination is given. Of an error it has the kind, the words with those of
 * its causes, the stack, and the code and details of a refusal: not what else a library hangs onto it, as the document that a
 * database refused.
 */
export function createLogger(options: Pick<LoggerOptions, 'level'>, destination?: DestinationStream): Logger {
  return pino({ ...options, serializers: { err: factsOf } }, destination);
}

function factsOf(error: unknown) {
  if (!Error.isError(error)) return { message: String(error) };
  const { type, message, stack, code, details }: Readonly<Record<string, unknown>> =
    stdSerializers.err(error);
  return { type, message, stack, code, details };
}
