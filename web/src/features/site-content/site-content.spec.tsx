import { describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { adminRoutes, routes } from '../../api';
import { json, problem, renderApp, serve, settingsOf, to, type Call } from '../../testing';
import { ContentEditor, ContentVersions } from '.';

const hero = { title: 'Mine', bullets: ['One', 'Two'], button: 'Start Here', images: [] };
const footer = { tagline: 'Older' };
/** A page as the service writes it with what a preview asks for: its title is the hero's. */
function pageWith({ body }: Pick<Call, 'body'>): Response {
  const asked = body as {
    readonly page: string;
    readonly content: { readonly hero?: { readonly title: string } };
  };
  const title = asked.content.hero?.title ?? 'Unchanged';
  return json({
    page: asked.page,
    html: `<!doctype html><html><body><h1>${title}</h1><p>Page ${asked.page}</p></body></html>`,
  });
}
const previewed = to(adminRoutes.previewContent);
const actor = { id: 'ada', role: 'admin', name: 'Ada Miller' };

test('changes a section text by text, and says what the service refused', async () => {
  const answers = [
    () => problem(422, 'setting_invalid', 'The texts of the site are larger than 48 KiB together.'),
    () => json({ position: '9', message: 'Content updated successfully.' }),
  ];
  const calls = serve({
    [to(routes.content)]: () => json({ hero, footer }),
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [to(adminRoutes.changeContent)]: () => answers.shift()!(),
    [previewed]: pageWith,
  });
  const { user } = renderApp(<ContentEditor />, { role: 'admin' });
  const title = await screen.findByLabelText('Title');
  await user.clear(title);
  await user.type(title, 'Mine more');
  await user.click(screen.getByRole('button', { name: 'Remove bullets 2' }));
  await user.click(screen.getByRole('button', { name: 'Save section' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Mine more')).toBeTruthy();
  const save = () => user.click(dialog.getByRole('button', { name: 'Save section' }));
  await save();
  expect(await screen.findByText(/larger than 48 KiB/)).toBeTruthy();
  await save();
  expect(await screen.findByText('Content updated successfully.')).toBeTruthy();
  const [sent] = calls.filter(({ method }) => method === 'PUT');
  expect(sent?.body).toEqual({ content: { hero: { ...hero, title: 'Mine more', bullets: ['One'] } } });
});

test('a picture is uploaded into its place, and one that was not leaves it as it was', async () => {
  const url = '/files/site-one.webp';
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => problem(422, 'file_type', 'This is no picture.'),
    () => json({ fileId: 'f'.repeat(35), url, message: 'ok' }),
  ];
  serve({
    [to(routes.content)]: () => json({ hero: { ...hero, images: ['/image/one.webp'] }, footer }),
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [to(adminRoutes.uploadSiteMedia)]: () => answers.shift()!(),
    [previewed]: pageWith,
  });
  const { user } = renderApp(<ContentEditor />, { role: 'admin' });
  const place = await screen.findByLabelText<HTMLInputElement>('Images, 1');
  const upload = () =>
    user.upload(
      screen.getByLabelText('File for images, 1'),
      new File(['x'], 'one.png', { type: 'image/png' }),
    );
  for (const words of ['Failed to upload image.', 'This is no picture.']) {
    await upload();
    expect(await screen.findByText(words)).toBeTruthy();
    expect(place.value).toBe('/image/one.webp');
  }
  await upload();
  await waitFor(() => expect(place.value).toBe(url));
});

test('shows what a version changed and restores it, with defaults for what it did not have', async () => {
  const change = {
    eventId: 'event-3',
    type: 'ContentChanged',
    part: 'content',
    revision: 3,
    at: '2026-05-03T14:02:00.000Z',
    actor,
    data: { content: { footer } },
    was: { content: { footer: { tagline: 'Oldest' } } },
  };
  const calls = serve({
    [to(adminRoutes.settingsHistory)]: () => json({ items: [change], before: null }),
    [to(adminRoutes.settings)]: () => json(settingsOf({ content: { footer: { tagline: 'Now' }, hero } })),
    [to(adminRoutes.contentVersion, { revision: 3 })]: () =>
      json({ revision: 3, at: change.at, by: actor.name, content: { footer } }),
    [to(adminRoutes.changeContent)]: () => json({ position: '9', message: 'Content updated successfully.' }),
  });
  const { user } = renderApp(<ContentVersions />, { role: 'admin' });
  await user.click(await screen.findByRole('button', { name: 'View version 3' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Version 3' }));
  expect(dialog.getByText('Oldest')).toBeTruthy();
  expect(await dialog.findByText('Now')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Restore this version' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Restore version 3' }));
  await user.type(asked.getByLabelText('Reason'), 'The new one was wrong');
  await user.click(asked.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByText('Content updated successfully.')).toBeTruthy();
  const sent = calls.find(({ method }) => method === 'PUT');
  expect(sent?.body).toEqual({
    content: { footer, hero: null },
    reason: 'The new one was wrong',
  });
});

describe('the preview', () => {
  const edited = (preview: (call: Call) => Response = pageWith) => ({
    [to(routes.content)]: () => json({ hero, footer }),
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [previewed]: preview,
  });
  const frame = (page = 'Home') => screen.findByTitle<HTMLIFrameElement>(`Preview of the page ${page}`);
  /** What the frame has been made to show since it was there. */
  const redrawn = async () => (await frame()).contentDocument?.body.textContent ?? '';

  test('follows what is typed, and saves nothing', async () => {
    const calls = serve(edited());
    const { user } = renderApp(<ContentEditor />, { role: 'admin' });
    expect((await frame()).srcdoc).toContain('<h1>Mine</h1>');
    expect((await frame()).getAttribute('sandbox')).toBe('allow-same-origin');
    expect(await screen.findByText('As visitors get it now.')).toBeTruthy();
    await user.type(screen.getByLabelText('Title'), ' more');
    expect(await screen.findByText(/^With what is typed/)).toBeTruthy();
    await waitFor(async () => expect(await redrawn()).toContain('Mine more'));
    const asked = calls.filter(({ method }) => method !== 'GET');
    expect(new Set(asked.map(({ name }) => name))).toEqual(new Set([previewed]));
    expect(asked.at(-1)?.body).toEqual({ page: 'site', content: { hero: { ...hero, title: 'Mine more' } } });
  });

  test('says at the text, and with its place, why it can’t be saved, and stands as it was', async () => {
    const message = 'Please enter a title.';
    serve(
      edited((call) => {
        const { content } = call.body as { readonly content: { readonly hero: { readonly title: string } } };
        if (content.hero.title !== '') return pageWith(call);
        return problem(400, 'validation_failed', message, [{ path: 'content.hero.title', message }]);
      }),
    );
    const { user } = renderApp(<ContentEditor />, { role: 'admin' });
    const { srcdoc } = await frame();
    const title = screen.getByLabelText('Title');
    await user.clear(title);
    expect(await screen.findByText('Hero, title:')).toBeTruthy();
    expect(title.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText(message)).toHaveLength(2);
    expect((await frame()).srcdoc).toBe(srcdoc);
    await user.type(title, 'Again');
    await waitFor(() => expect(title.getAttribute('aria-invalid')).not.toBe('true'));
    await waitFor(async () => expect(await redrawn()).toContain('Again'));
  });

  test('says what is wrong with all texts together, and when the service is away', async () => {
    const detail = 'The texts of the site are larger than 48 KiB together.';
    const answers = [() => problem(422, 'setting_invalid', detail), () => problem(500, 'internal', 'No.')];
    serve(edited(() => answers.shift()!()));
    const { user } = renderApp(<ContentEditor />, { role: 'admin' });
    expect(await screen.findByText(detail)).toBeTruthy();
    await user.type(await screen.findByLabelText('Title'), '!');
    expect(await screen.findByText(/can’t be shown anew now/)).toBeTruthy();
    expect(screen.queryByText(detail)).toBeNull();
  });

  test('is of the page and of the width that are chosen, which the address has', async () => {
    serve(edited());
    const { user, router } = renderApp(<ContentEditor />, {
      role: 'admin',
      at: '/?section=footer&width=phone',
    });
    expect((await frame()).style.width).toBe('390px');
    await user.selectOptions(screen.getByLabelText('Page'), 'About Us');
    expect((await frame('About Us')).srcdoc).toContain('Page about');
    await user.click(screen.getByRole('radio', { name: 'Desktop' }));
    expect((await frame('About Us')).style.width).toBe('1280px');
    expect(router.state.location.search).toBe('?section=footer&width=desktop&page=about');
  });

  test('says that a page is not there before it has a text, and that mails are on none', async () => {
    serve({
      ...edited(() => json({ page: 'fees', html: null })),
      [to(routes.content)]: () => json({ footer, mails: { welcome: { subject: 'Hello' } } }),
    });
    const { user } = renderApp(<ContentEditor />, { role: 'admin', at: '/?section=footer&page=fees' });
    expect(await screen.findByText('There is no such page yet.')).toBeTruthy();
    await user.selectOptions(screen.getByLabelText('Section'), 'Mails');
    expect(await screen.findByText('No page shows these texts.')).toBeTruthy();
  });

  test('is behind a tab where there is no room for both', async () => {
    const media = matchMedia('');
    jest.spyOn(globalThis, 'matchMedia').mockReturnValue({ ...media, matches: true });
    serve(edited());
    const { user } = renderApp(<ContentEditor />, { role: 'admin' });
    const title = await screen.findByLabelText('Title');
    expect(screen.queryByTitle(/^Preview/)).toBeNull();
    await user.type(title, ' kept');
    await user.click(screen.getByRole('radio', { name: 'Preview' }));
    expect((await frame()).style.width).toBe('390px');
    await user.click(screen.getByRole('radio', { name: 'Texts' }));
    expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Mine kept');
  });

  test('is not there for an admin who only reads', async () => {
    const calls = serve(edited());
    renderApp(<ContentEditor />, { role: 'admin', duty: 'auditor' });
    await screen.findByLabelText('Title');
    expect(screen.queryByLabelText('Preview')).toBeNull();
    expect(calls.filter(({ name }) => name === previewed)).toEqual([]);
  });

  test('shows what a version would bring back before it is restored', async () => {
    const change = {
      eventId: 'event-3',
      type: 'ContentChanged',
      part: 'content',
      revision: 3,
      at: '2026-05-03T14:02:00.000Z',
      actor,
      data: { content: { hero } },
      was: { content: {} },
    };
    const calls = serve({
      ...edited(),
      [to(adminRoutes.settingsHistory)]: () => json({ items: [change], before: null }),
      [to(adminRoutes.settings)]: () => json(settingsOf({ content: { footer } })),
      [to(adminRoutes.contentVersion, { revision: 3 })]: () =>
        json({ revision: 3, at: change.at, by: actor.name, content: { hero } }),
    });
    const { user } = renderApp(<ContentVersions />, { role: 'admin' });
    await user.click(await screen.findByRole('button', { name: 'View version 3' }));
    await user.click(await screen.findByRole('button', { name: 'Preview this version' }));
    expect((await frame()).srcdoc).toContain('<h1>Mine</h1>');
    const asked = calls.find(({ name }) => name === previewed);
    expect(asked?.body).toEqual({ page: 'site', content: { footer: null, hero } });
  });
});
