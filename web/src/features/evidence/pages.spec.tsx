import { beforeAll, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { routes } from '../../api';
import { renderApp, requestOf, serve, to } from '../../testing';
import { Evidence } from './evidence';

const { evidence } = requestOf();

beforeAll(() => {
  Object.assign(URL, { createObjectURL: () => 'blob:evidence', revokeObjectURL: () => undefined });
});

/** A PDF that is opened, and its frame: what the frame was sent, and how it speaks. */
async function openPdf() {
  serve({ [to(routes.file, { fileId: evidence.fileId })]: () => new Response('%PDF') });
  const page = renderApp(<Evidence evidence={evidence} isLarge={false} onLarge={() => undefined} />, {
    role: 'admin',
  });
  const show = await screen.findByRole<HTMLButtonElement>('button', { name: 'Show pages' });
  await waitFor(() => expect(show.disabled).toBe(false));
  expect(document.querySelector('iframe')).toBeNull();
  await page.user.click(show);
  const frame = await screen.findByTitle<HTMLIFrameElement>('PDF document');
  const source = frame.contentWindow;
  const sent = jest.spyOn(source as Window, 'postMessage').mockImplementation(() => undefined);
  const says = (data: unknown, from: MessageEventInit = {}) =>
    act(() => {
      dispatchEvent(new MessageEvent('message', { data, source, origin: 'null', ...from }));
    });
  return { ...page, frame, says, sent: () => sent.mock.calls.map(([message]) => message as unknown) };
}

test('a PDF is opened in a frame without an origin, and gets its bytes by message once', async () => {
  const { frame, says, sent } = await openPdf();
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts');
  says({ kind: 'ready' });
  says({ kind: 'ready' });
  await waitFor(() => expect(sent()).toEqual([{ kind: 'open', bytes: expect.anything() }]));
});

test('its pages are gone through one at a time', async () => {
  const { user, says, sent } = await openPdf();
  says({ kind: 'opened', pages: 12 });
  says({ kind: 'page', page: 1, width: 595, height: 842 });
  expect(await screen.findByText('of 12')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Previous page' }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  const number = screen.getByRole('textbox', { name: 'Page' });
  await user.clear(number);
  await user.type(number, '40{Enter}');
  act(() => screen.getByRole('group', { name: 'PDF document' }).focus());
  await user.keyboard('{PageDown}{PageUp}');
  const asked = sent().filter((message) => (message as { kind: string }).kind === 'page');
  expect(asked).toEqual([1, 2, 12, 11].map((page) => ({ kind: 'page', page })));
  const stage = screen.getByRole('group', { name: 'PDF document' });
  says({ kind: 'drawn', page: 12 });
  expect(stage.getAttribute('aria-busy')).toBe('true');
  says({ kind: 'drawn', page: 11 });
  expect(stage.getAttribute('aria-busy')).toBe('false');
});

test.each([
  ['another window', { source: globalThis.window }],
  ['a document that has an origin', { origin: 'http://localhost' }],
  ['no window at all', { source: null }],
])('what %s says is not heard', async (_who, from) => {
  const { says, sent } = await openPdf();
  says({ kind: 'ready' }, from);
  says({ kind: 'opened', pages: 12 }, from);
  says({ kind: 'failed', why: 'broken' }, from);
  expect(screen.queryByText('of 12')).toBeNull();
  expect(screen.queryByText(/can’t be shown/)).toBeNull();
  expect(sent()).toEqual([]);
});

test.each([
  ['broken', 'This PDF is damaged, so it can’t be shown.'],
  ['encrypted', 'This PDF is protected with a password, so it can’t be shown.'],
])('a PDF that is %s says so, can be tried again and downloaded', async (why, words) => {
  const { user, says } = await openPdf();
  says({ kind: 'failed', why });
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Download' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByTitle('PDF document')).toBeTruthy();
});
