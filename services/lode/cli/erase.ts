import { ErasePerson, OPERATOR } from '#application';
import { foldEmail } from '#identity';
import { isLodeError, LodeError } from '#kernel';
import { accountStream, currencies, formatMoney } from '#ledger';
import type { Call, Outcome } from './command.js';
import { withEngines, type Engines } from './engines.js';
import { withExclusiveEngines, requireLog } from './folder.js';
import { areThereModels, catchUp, catchUpAfter } from './fold.js';
import { counted } from './output.js';
import { requireConsent } from './parse.js';

/** Has whoever typed the command say again whom they mean. Refuses with `not_permitted` when they don't. */
async function makeSure({ ask }: Call, { identity }: Engines, userId: string): Promise<void> {
  const email = (await identity.credentials.known(userId))?.email;
  const who = email === undefined ? userId : `${email} (${userId})`;
  const typed = await ask?.(
    `This forgets ${who} for ever: it can’t be taken back.\nType the id or the e-mail to go on: `,
  );
  const answer = typed?.trim() ?? '';
  if (answer === userId || (email !== undefined && foldEmail(answer) === foldEmail(email))) return;
  throw new LodeError('not_permitted', `That is neither the id nor the e-mail: ${who} was not forgotten.`);
}

async function erase({ bus }: Engines, userId: string) {
  try {
    return await bus.execute(new ErasePerson({ actor: OPERATOR }, userId));
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'account_not_found') throw error;
    throw new LodeError(
      'account_not_found',
      `There is no account ${userId}: name the person by the userId that the back office shows.`,
      {},
      { cause: error },
    );
  }
}

/** `lode erase`. */
export async function runErase(call: Call): Promise<Outcome> {
  const { settings, args, options, progress } = call;
  const [userId = ''] = args;
  requireConsent(call, 'An erasure can’t be taken back', 'erase');
  await requireLog(settings);
  const { position, isNew, files, writtenOff } = await withExclusiveEngines(call, async (engines) => {
    const hasModels = await areThereModels(engines);
    // Before the log has what can't be taken back: read models that have stopped would keep what they have of the person.
    if (hasModels) await catchUp(engines, progress);
    const erased = await withEngines(call, engines, async (stores) => {
      if (options['yes'] !== true) await makeSure(call, stores, userId);
      return erase(stores, userId);
    });
    if (hasModels) {
      await catchUpAfter(
        `The log says at position ${erased.position} that ${userId} is forgotten, but the read models may still have ` +
          'personal data: once they have caught up, give the same command again.',
        engines,
        progress,
        accountStream(userId),
      );
      await engines.maintenance.compact();
    }
    return erased;
  });
  const amounts = Object.fromEntries(
    currencies.map((currency) => [currency, formatMoney(writtenOff[currency], currency)]),
  );
  const left = currencies.filter((currency) => writtenOff[currency] !== 0n);
  return {
    ok: true,
    facts: { userId, position, isNew, files, writtenOff: amounts },
    lines: [
      `${userId} is forgotten${isNew ? '' : ' (the log said so already; every step was done again)'}.`,
      `The log says so at position ${position}. ${counted(files, 'file')} deleted.`,
      ...(left.length === 0
        ? []
        : [`Written off: ${left.map((currency) => `${amounts[currency]} ${currency}`).join(', ')}.`]),
      'Backups made before this still hold the key: delete them in good time.',
    ],
  };
}
