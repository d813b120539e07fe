/** What an admin is there for. `permission` says that somebody is an admin, their duty which of an admin's things they do. */
export const duties = ['owner', 'finance', 'support', 'auditor'] as const;
export type Duty = (typeof duties)[number];

/**
 * The matrix of duties: each thing that admins do, and who of them may. A route for admins names one of these as its `may`;
 * screens show what the duty can do by the same table. Whoever is to look at something may only `read`.
 */
export const mayOf = {
  /** To look: at people and their money, at requests with their evidence, at the log, the books and the machinery. */
  read: ['owner', 'finance', 'support', 'auditor'],
  /** Money: decisions on requests, adjustments, bonus cycles, and whatever else changes a balance. */
  'decide on money': ['owner', 'finance'],
  /** People: accounts, sessions, suspensions, notes, messages. */
  'look after people': ['owner', 'support'],
  /** What everybody sees: the site's texts and pictures, products. */
  'write the site': ['owner', 'support'],
  /** What amounts are worth: prices and the dollar rate. */
  'set prices': ['owner', 'finance'],
  /** What holds for all: deposit addresses, the bonus policy, limits, how admins come in. */
  'set the platform': ['owner'],
  /** The machinery: read models, jobs, reactors, backups. */
  operate: ['owner'],
  /** To invite another admin, who is an owner until one gives them another duty. */
  'invite admins': ['owner'],
  /** To change which duty another admin has. */
  'give duties': ['owner'],
  /** To forget a person for ever. */
  erase: ['owner'],
} as const satisfies Readonly<Record<string, readonly [Duty, ...Duty[]]>>;

/** A thing that admins do, as the matrix names it. */
export type AdminAct = keyof typeof mayOf;

/** Whether an admin with this duty may do this. */
export function mayDo(duty: Duty, act: AdminAct): boolean {
  return (mayOf[act] as readonly Duty[]).includes(duty);
}
