import type { AdminList } from '#contracts';
import type { Identity } from '#identity';
import { accountsOf, nameOf } from '../people/names.js';
import type { Ports } from '../ports.js';
import type { AdminRights } from './rights.js';
import { Query } from '../message.js';

/** Everybody who is an admin, with what they are there for. */
export class ListAdmins extends Query<AdminList> {}

export class ListAdminsHandler {
  constructor(
    private readonly parts: Pick<Ports, 'readStore'> & {
      readonly admins: Pick<AdminRights, 'all'>;
      readonly identity: Pick<Identity, 'secondFactors' | 'sessions'>;
    },
  ) {}

  async execute(): Promise<AdminList> {
    const listed = [...(await this.parts.admins.all())];
    const accounts = await accountsOf(
      this.parts.readStore,
      listed.map(([userId]) => userId),
    );
    const admins = listed.flatMap(([userId, { standing, duty }]) => {
      const account = accounts.get(userId);
      if (standing === 'removed' || standing === 'expected') return [];
      return [{ userId, name: nameOf(account), email: account?.email ?? '', status: standing, duty }];
    });
    return {
      admins: await Promise.all(admins.map(async (one) => ({ ...one, ...(await this.accessOf(one)) }))),
    };
  }

  /** How an admin comes in, and since when they are in: by the newest session that they have. */
  private async accessOf({ userId }: { readonly userId: string }) {
    const { secondFactors, sessions } = this.parts.identity;
    const began = (await sessions.list(userId)).map(({ createdAt }) => createdAt);
    return {
      hasSecondFactor: await secondFactors.isOn(userId),
      signedInAt: began.length === 0 ? null : new Date(Math.max(...began)).toISOString(),
    };
  }
}
