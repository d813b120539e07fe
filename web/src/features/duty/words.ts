import type { Duty } from '#contracts';

/** What duties are called. */
export const dutyNames: Readonly<Record<Duty, string>> = {
  owner: 'Owner',
  finance: 'Finance',
  support: 'Support',
  auditor: 'Auditor',
};

/** What an admin of each duty does. */
export const dutyWords: Readonly<Record<Duty, string>> = {
  owner: 'Does everything, and decides who is an admin.',
  finance: 'Decides on money: requests, adjustments, prices. Looks at everything.',
  support: 'Looks after people and the site’s texts. Moves no money. Looks at everything.',
  auditor: 'Looks at everything, and changes nothing.',
};
