import { knownSections, settingsParts, type SettingsView } from '#contracts';
import { depositFields, recordOf, settingsStream } from '#ledger';
import type { SettingsDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import type { Aggregates } from '../aggregates.js';
import { accountsOf, nameOf } from '../people/names.js';
import { limitsAsText, pricesAsText, rateAsText } from './texts.js';
import { Query } from '../message.js';

/** Everything that admins have set, and who changed each part last. */
export class GetSettings extends Query<SettingsView> {}

export class GetSettingsHandler {
  constructor(
    private readonly aggregates: Pick<Aggregates, 'settings'>,
    private readonly readStore: ReadStoreReader,
  ) {}

  execute(): Promise<SettingsView> {
    return settingsView(this.aggregates, this.readStore);
  }
}

/** What is set is from the log, and who changed it last from the read model. */
async function settingsView(
  aggregates: Pick<Aggregates, 'settings'>,
  store: ReadStoreReader,
): Promise<SettingsView> {
  const { state, position } = await aggregates.settings.load(settingsStream);
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
    adminAccess: state.adminAccess,
    approvalLimits: limitsAsText(state.approvalLimits),
    lastChanges: {
      'deposit-details': lastChangeOf('deposit-details'),
      'dollar-rate': lastChangeOf('dollar-rate'),
      prices: lastChangeOf('prices'),
      'bonus-policy': lastChangeOf('bonus-policy'),
      content: lastChangeOf('content'),
      'admin-access': lastChangeOf('admin-access'),
      'approval-limits': lastChangeOf('approval-limits'),
    },
    position,
  };
}
