import { contentInForce, type Content } from '#contracts';
import type { Clock } from '#kernel';
import { settingsDecider, type ContentSections } from '#ledger';
import type { SettingsInForce } from './in-force.js';
import { Query } from '../message.js';

/** The texts of the public site as a change would leave them, which is not made. Refuses with `setting_invalid` what the change refuses. */
export class DraftContent extends Query<Content> {
  constructor(readonly changes: ContentSections) {
    super();
  }
}

export class DraftContentHandler {
  constructor(
    private readonly settings: Pick<SettingsInForce, 'current'>,
    private readonly clock: Clock,
  ) {}

  async execute({ changes }: DraftContent): Promise<Content> {
    const state = await this.settings.current();
    const now = new Date(this.clock()).toISOString();
    const events = settingsDecider.decide({ type: 'ChangeContent', content: changes }, state, now);
    return contentInForce(events.reduce(settingsDecider.evolve, state).content);
  }
}
