/**
 * What was typed in forms and not sent yet, in this tab's session storage: it outlasts a reload and a session that ran out,
 * and goes with the tab. There is never more than one person's.
 */
const DRAFTS_ITEM = 'lode-drafts';

/** A command that may have been done: its content, and the key that it was sent under. */
export type Sent = { readonly content: string; readonly key: string };

/** What is kept of one form; nothing of it when both are left out. */
export type Draft = {
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly sent?: Sent | undefined;
};

type Drafts = { readonly userId: string; readonly forms: Readonly<Record<string, Draft>> };

function read(): Drafts | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(DRAFTS_ITEM) ?? 'null') as Drafts | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** What a person left in a form in this tab. */
export function draftOf(userId: string, form: string): Draft {
  const drafts = read();
  return (drafts?.userId === userId ? drafts.forms[form] : undefined) ?? {};
}

/** Keeps what a person has in a form; what is given as undefined is forgotten, what is left out stays. */
export function keepDraft(userId: string, form: string, changes: Draft): void {
  const drafts = read();
  const { [form]: before, ...others } = drafts?.userId === userId ? drafts.forms : {};
  const { fields, sent }: Draft = { ...before, ...changes };
  const isEmpty = fields === undefined && sent === undefined;
  const forms = isEmpty ? others : { ...others, [form]: { fields, sent } };
  if (Object.keys(forms).length === 0) {
    forgetDrafts();
    return;
  }
  try {
    sessionStorage.setItem(DRAFTS_ITEM, JSON.stringify({ userId, forms } satisfies Drafts));
  } catch {
    // A browser without room for it forgets on a reload, as it did before.
  }
}

/** Forgets all that was typed; given a person, only when it is another one's. */
export function forgetDrafts(butOf?: string): void {
  if (butOf === undefined || read()?.userId !== butOf) sessionStorage.removeItem(DRAFTS_ITEM);
}
