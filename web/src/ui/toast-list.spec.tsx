import { expect, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { notify, notifyError, notifyInfo, notifySuccess, notifyWarning } from './notify';
import Toasts from './toasts';

const WIDTH = 200;

/** A toast as soon as it stands there, with the bar that tells how long it stays. */
async function told(words: string) {
  const toast = (await screen.findByText(words)).closest<HTMLElement>('.Toastify__toast')!;
  const bar = toast.querySelector<HTMLElement>('.Toastify__progress-bar--animated')!;
  // No animation runs here. Its end is when the time of a toast begins.
  fireEvent.animationEnd(toast);
  return { toast, bar };
}

test('a toast is of one of five types', async () => {
  render(<Toasts />);
  const kinds = {
    default: notify,
    success: notifySuccess,
    info: notifyInfo,
    warning: notifyWarning,
    error: notifyError,
  };
  for (const [kind, tell] of Object.entries(kinds)) {
    tell(`One of ${kind}`);
    const { toast } = await told(`One of ${kind}`);
    expect(toast.className).toContain(`Toastify__toast--${kind}`);
    expect(toast.getAttribute('role') ?? toast.querySelector('[role]')?.getAttribute('role')).toBe(
      kind === 'warning' || kind === 'error' ? 'alert' : 'status',
    );
  }
});

test('a toast stands at the top right for 5,000 ms, which do not run under the pointer or behind another window', async () => {
  render(<Toasts />);
  notifySuccess('It is done.');
  const { toast, bar } = await told('It is done.');
  expect(toast.closest('.Toastify__toast-container')?.className).toContain('top-right');
  expect([bar.style.animationDuration, bar.style.animationPlayState]).toEqual(['5000ms', 'running']);
  fireEvent.mouseEnter(toast);
  expect(bar.style.animationPlayState).toBe('paused');
  fireEvent.mouseLeave(toast);
  expect(bar.style.animationPlayState).toBe('running');
  act(() => void window.dispatchEvent(new Event('blur')));
  expect(bar.style.animationPlayState).toBe('paused');
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(bar.style.animationPlayState).toBe('running');
});

test('a toast goes when it is dragged by 80 percent of its width, and no less', async () => {
  render(<Toasts />);
  notifySuccess('It may go.');
  const { toast } = await told('It may go.');
  Object.defineProperty(toast, 'offsetWidth', { value: WIDTH });
  const drag = (by: number) => {
    const pointer = (kind: string, clientX: number) => new MouseEvent(kind, { bubbles: true, clientX });
    fireEvent(toast, pointer('pointerdown', 0));
    fireEvent(document, pointer('pointermove', by));
    fireEvent(document, pointer('pointerup', by));
  };
  drag(WIDTH * 0.79);
  expect(toast.getAttribute('data-in')).toBe('true');
  drag(WIDTH * 0.81);
  await waitFor(() => expect(toast.isConnected).toBe(false));
});
