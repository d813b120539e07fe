import { ErasePerson, OPERATOR } from '#application';
import { accountStream, currencies, formatMoney } from '#ledger';
import type { Call, Outcome } from './command.js';
import { withEngines } from './engines.js';
import { withExclusiveEngines, requireLog } from './folder.js';
import { areThereModels, catchUp, catchUpAfter } from './fold.js';
import { counted } from './output.js';

/** `lode erase`. */
export async function runErase(call: Call): Promise<Outcome> {
  const { settings, args, progress } = call;
  await requireLog(settings);
  const [userId = ''] = args;
  const { position, isNew, files, writtenOff } = await withExclusiveEngines(call, async (engines) => {
    const hasModels = await areThereModels(engines);
    // Before the log has what can't be taken back: read models that have stopped would keep what they have of the person.
    if (hasModels) await catchUp(engines, progress);
    const erased = await withEngines(call, engines, ({ bus }) =>
      bus.execute(new ErasePerson({ actor: OPERATOR }, userId)),
    );
    if (hasModels) {
      await catchUpAfter(
        `The log says at position ${erased.position} that ${userId} is forgotten, but the read models may still have ` +
          'personal data: once they have caught up, give the same command again.',
        engines,
        progress,
        accountStream(userId),
      );
      engines.maintenance.compact();
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
