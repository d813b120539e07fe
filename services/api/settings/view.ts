import { knownSections, settingsParts, type SettingsView } from '#contracts';
import { depositFields, recordOf, settingsStream } from '#ledger';
import type { SettingsDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import type { Ledger } from '../commands/ledger.js';
import { accountsOf, nameOf } from '../wallet/people.js';
import { pricesAsText, rateAsText } from './in-force.js';

/** Everything that admins have set, from the log, and who changed each part last, from the read model. */
export async function settingsView(
  ledger: Pick<Ledger, 'settings'>,
  store: ReadStoreReader,
): Promise<SettingsView> {
  const { state, position } = await ledger.settings.load(settingsStream);
  const documents = await store.getMany<SettingsDocument>('settings', settingsParts);
  const people = await accountsOf(
    store,
    documents.map(({ by }) => by),
  );
  const lastChangeOf = (part: (typeof settingsParts)[number]) => {
    const document = documents.find(({ id }) => id === part);
    if (document === undefined) return null;
    const { at, by, reason } = document;
    return { at, by: nameOf(people.get(by)), ...(reason === undefined ? {} : { reason }) };
  };
  return {
    depositDetails: recordOf(depositFields, (field) => state.deposit[field] ?? null),
    dollarRate: rateAsText(state),
    prices: pricesAsText(state.prices),
    bonusPolicy: state.bonusPolicy,
    content: knownSections(state.content),
    lastChanges: {
      'deposit-details': lastChangeOf('deposit-details'),
      'dollar-rate': lastChangeOf('dollar-rate'),
      prices: lastChangeOf('prices'),
      'bonus-policy': lastChangeOf('bonus-policy'),
      content: lastChangeOf('content'),
    },
    position,
  };
}
