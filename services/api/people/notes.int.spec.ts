import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join, keyed, startLode, type Lode, type Person } from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
});
afterAll(() => lode.stop());

const TEXT = 'Called about the payout fee.';
const notesOf = ({ userId }: Person) => lode.admin.api.get('notes', { params: { userId } });
const add = (text: string, headers = keyed()) =>
  lode.admin.api.call('addNote', { params: { userId: ann.userId }, body: { text }, headers });

describe('notes about a person', () => {
  test('are listed newest first with who wrote them, and the log has none of their words', async () => {
    const headers = keyed();
    const first = await add(TEXT, headers);
    const again = await add(TEXT, headers);
    expect([first.status, again.json]).toEqual([201, first.json]);
    await add('Agreed to it.');
    const { items } = await notesOf(ann);
    expect(items.map(({ text, by }) => [text, by.userId])).toEqual([
      ['Agreed to it.', lode.admin.userId],
      [TEXT, lode.admin.userId],
    ]);
    const stream = await lode.admin.api.get('stream', { params: { stream: `notes-${ann.userId}` } });
    expect(stream.events.map(({ type }) => type)).toEqual(['NoteAdded', 'NoteAdded']);
    expect(JSON.stringify(stream)).not.toContain(TEXT);
  });

  test('are nothing to the person they are about', async () => {
    const { status } = await ann.api.call('notes', { params: { userId: ann.userId } });
    expect(status).toBe(403);
  });

  test('are not kept empty, nor of somebody who is not there', async () => {
    expect((await add('  ')).status).toBe(400);
    const nobody = await lode.admin.api.call('addNote', {
      params: { userId: 'nobody' },
      body: { text: TEXT },
      headers: keyed(),
    });
    expect(nobody.status).toBe(404);
  });
});
