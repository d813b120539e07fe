import type { MessageBody, MessageView } from '#contracts';
import { visitorMessage } from '#contracts';
import { FORGOTTEN, type PersonalData, type PersonKeys } from '#identity';
import { invariant } from '#kernel';
import type { MessageDocument } from '#projections';
import { InvalidInput } from '../invalid-input.js';

/** What somebody wrote, and who they say they are. */
export type Words = Pick<MessageView, 'name' | 'email' | 'phone' | 'businessType' | 'subject' | 'message'>;

/** A visitor's words, complete. Refuses what is left out with `validation_failed`. */
export function wordsOfVisitor(body: MessageBody): Words {
  const parsed = visitorMessage.safeParse(body);
  if (!parsed.success) {
    throw new InvalidInput(
      parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    );
  }
  const { subject = '', ...words } = parsed.data;
  return { ...words, subject };
}

/** A customer's words: who sends them is known by their profile. */
export function wordsOfCustomer(body: MessageBody, profile: PersonalData): Words {
  const { businessType = '', subject = '', message } = body;
  const name = `${textOf(profile, 'firstname')} ${textOf(profile, 'lastname')}`.trim();
  const [email, phone] = [textOf(profile, 'email'), textOf(profile, 'phone')];
  return { name, email, phone, businessType, subject, message };
}

/** Encrypts words with the message's own key, and once more with the customer's: either of them gone, they are. */
export async function encryptWords(
  keys: PersonKeys,
  messageId: string,
  userId: string | undefined,
  words: Words,
): Promise<string> {
  const encrypted = await keys.encryptFor(messageId, words);
  // `sealed` is a stored name.
  return userId === undefined ? encrypted : keys.encryptFor(userId, { sealed: encrypted });
}

/** What a message says; `forgotten` in each field once a key of it is gone. */
export async function decryptWords(
  keys: PersonKeys,
  { id, sealed, userId }: Pick<MessageDocument, 'id' | 'sealed' | 'userId'>,
): Promise<Words> {
  const outer = userId === null ? { sealed } : await keys.decryptFor(userId, sealed);
  const words = outer === FORGOTTEN ? outer : await keys.decryptFor(id, textOf(outer, 'sealed'));
  const text = (field: keyof Words) => (words === FORGOTTEN ? words : textOf(words, field));
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    businessType: text('businessType'),
    subject: text('subject'),
    message: text('message'),
  };
}

function textOf(data: PersonalData, field: string): string {
  const value = data[field];
  invariant(typeof value === 'string', `what was encrypted has a ${field}`);
  return value;
}
