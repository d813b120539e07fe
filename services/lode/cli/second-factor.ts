import { OPERATOR, RemoveSecondFactorOf } from '#application';
import { isLodeError, LodeError } from '#kernel';
import type { Call, Outcome } from './command.js';
import { withEngines } from './engines.js';
import { requireLog, withExclusiveEngines } from './folder.js';
import { UsageError } from './parse.js';

/** `lode second-factor remove`. */
export async function runSecondFactor(call: Call): Promise<Outcome> {
  const { settings, args, options } = call;
  const [what] = args;
  if (what !== 'remove') throw new UsageError(`second-factor can remove one, not ${JSON.stringify(what)}.`);
  const { email, reason } = options;
  if (typeof email !== 'string') throw new UsageError('Say whose with --email.');
  await requireLog(settings);
  const context = { actor: OPERATOR, ...(typeof reason === 'string' ? { reason } : {}) };
  const { userId, wasOn } = await withExclusiveEngines(call, (engines) =>
    withEngines(call, engines, ({ bus }) =>
      bus.execute(new RemoveSecondFactorOf(context, email)).catch(inWords(email)),
    ),
  );
  return {
    ok: true,
    facts: { userId, removed: wasOn },
    lines: wasOn
      ? [
          `The second factor of ${email} is off: the password alone signs in. The log says so.`,
          'They are told by mail, where mails are sent, when Lode runs again.',
        ]
      : [`${email} has no second factor: nothing was changed.`],
  };
}

function inWords(email: string) {
  return (error: unknown): never => {
    if (!isLodeError(error) || error.code !== 'account_not_found') throw error;
    throw new LodeError('account_not_found', `Nobody has the e-mail ${email}.`, {}, { cause: error });
  };
}
