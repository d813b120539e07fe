import { beforeAll, expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { routes } from '../../api';
import { renderApp, requestOf, serve, to } from '../../testing';
import { Evidence } from './evidence';

const evidence = { ...requestOf().evidence, mediaType: 'image/webp' as const };

beforeAll(() => {
  Object.assign(URL, { createObjectURL: () => 'blob:evidence', revokeObjectURL: () => undefined });
});

function Shown() {
  const [isLarge, setLarge] = useState(false);
  return <Evidence evidence={evidence} isLarge={isLarge} onLarge={setLarge} />;
}

async function look() {
  serve({ [to(routes.file, { fileId: evidence.fileId })]: () => new Response('picture') });
  const page = renderApp(<Shown />, { role: 'admin' });
  const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'Payment evidence' });
  Object.defineProperties(picture, { naturalWidth: { value: 900 }, naturalHeight: { value: 1600 } });
  fireEvent.load(picture);
  const press = (name: string) => page.user.click(screen.getByRole('button', { name }));
  return { ...page, press, picture, zoom: () => screen.getByRole('status', { name: 'Zoom' }).textContent };
}

test('a picture is zoomed, turned and fitted again by its buttons', async () => {
  const { press, picture, zoom } = await look();
  expect(zoom()).toBe('100%');
  expect(screen.getByRole('button', { name: 'Zoom out' }).getAttribute('aria-disabled')).toBe('true');
  await press('Zoom in');
  await press('Zoom in');
  expect(zoom()).toBe('196%');
  await press('Zoom out');
  expect(zoom()).toBe('140%');
  await press('Turn by 90°');
  expect(zoom()).toBe('100%');
  expect(picture.style.transform).toContain('rotate(90deg)');
  await press('Zoom in');
  await press('Reset');
  expect(zoom()).toBe('100%');
  expect(picture.style.transform).toContain('rotate(0deg)');
});

test('its keys do the same, and are not heard by what is around it', async () => {
  const { user, picture, zoom } = await look();
  const heard: string[] = [];
  const listener = ({ key }: KeyboardEvent) => void heard.push(key);
  document.body.addEventListener('keydown', listener);
  screen.getByRole('group', { name: 'Picture' }).focus();
  await user.keyboard('++-r');
  expect(picture.style.transform).toContain('rotate(90deg)');
  await user.keyboard('+');
  expect(zoom()).toBe('140%');
  await user.keyboard('{ArrowLeft}0n');
  expect(zoom()).toBe('100%');
  document.body.removeEventListener('keydown', listener);
  expect(heard).toEqual(['n']);
});

test('a wheel over it zooms and doesn’t scroll the page', async () => {
  const { zoom } = await look();
  const stage = screen.getByRole('group', { name: 'Picture' });
  expect(fireEvent.wheel(stage, { deltaY: -480 })).toBe(false);
  expect(zoom()).toBe('272%');
  fireEvent.wheel(stage, { deltaY: 4_800 });
  expect(zoom()).toBe('100%');
});

test('it is opened large, and the same button leads back', async () => {
  const { press } = await look();
  const section = screen.getByRole('region', { name: 'Evidence' });
  await press('Open');
  expect(section.dataset['large']).toBe('true');
  await press('Back to the request');
  expect(section.dataset['large']).toBe('false');
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('download')).toMatch(/\.webp$/);
});
