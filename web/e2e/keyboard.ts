import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { said } from './said.js';

/** How often Tab is pressed in search of something: more than a screen has stops. */
const STOPS_MAX = 80;
/** How long something may take to have the focus, in milliseconds. */
const WAIT_MS = 30_000;

/** What has the focus. */
type Stop = {
  /** Its role and name, as assistive technology is told: `button Submit request`. */
  readonly name: string;
  /** Whether it looks other than it does without the focus. */
  readonly isSeen: boolean;
};

/** A browser that is used by its keyboard alone: there is no way to click here, nor to fill a field from outside. */
export type Keyboard = {
  readonly press: (key: string) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** What has the focus now, which must be seen to have it. */
  readonly stop: () => Promise<string>;
  /** Waits until something of that role and name has the focus. */
  readonly comesTo: (name: string | RegExp) => Promise<void>;
  /** Presses Tab, or Shift+Tab, until something of that role and name has the focus; everything on the way must be seen to have it. */
  readonly tabTo: (name: string | RegExp, key?: 'Tab' | 'Shift+Tab') => Promise<void>;
};

/** What somebody does who has a keyboard alone, screen by screen. */
export type Walk = {
  readonly keyboard: Keyboard;
  /** Waits until the page says something (said.ts). */
  readonly said: (words: string | RegExp) => Promise<void>;
  readonly signIn: (email: string, password: string) => Promise<void>;
  /** Goes somewhere by the palette. */
  readonly goTo: (what: string) => Promise<void>;
  /** Goes over the choices of a group, the first of which has the focus, to one. */
  readonly choose: (wanted: RegExp) => Promise<void>;
  /** Goes on to fields in their order, and types into each. */
  readonly fill: (fields: Readonly<Record<string, string>>) => Promise<void>;
  /** Goes on to a button and presses it. */
  readonly press: (button: string | RegExp) => Promise<void>;
};

/** What the palette's field is called. */
export const FIND = 'combobox Find a page or action';
/** The most choices that a group has. */
const CHOICES_MAX = 5;

const NOTHING = 'nothing';

/** The element that has the focus, with its role and name. */
const NAME = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return { element: null, name: '${NOTHING}' };
  const byTag = { A: 'link', BUTTON: 'button', H2: 'heading', INPUT: 'field', MAIN: 'main', TEXTAREA: 'field' };
  const byType = { checkbox: 'checkbox', radio: 'radio', range: 'slider' };
  const role = element.getAttribute('role') ?? byType[element.type] ?? byTag[element.tagName] ?? element.tagName.toLowerCase();
  const labels = [...(element.labels ?? [])].map((one) => one.innerText).join(' ');
  const text = element.getAttribute('aria-label') ?? (labels || (role === 'main' ? '' : element.innerText));
  return { element, name: [role, text.replace(/\\s+/g, ' ').trim()].join(' ').trim() };
})()`;

/**
 * As `NAME`, and whether that shows: outline or shadow of the element, or of what is drawn for it right beside, differ from
 * what they are without the focus, which comes back.
 */
const LOOK = `(() => {
  const { element, name } = ${NAME};
  if (element === null) return { name, isSeen: false };
  const drawn = [element, element.nextElementSibling].filter((one) => one !== null);
  const looks = () => drawn.map((one) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(one);
    return outlineStyle === 'none' ? boxShadow : [outlineStyle, outlineWidth, outlineColor, boxShadow].join(' ');
  }).join('; ');
  const focused = looks();
  // The parts of a date are the browser's own. They are gone through one by one, and the first would have the focus again.
  const isFurther = element.type === 'date' && globalThis.lastStop === element;
  globalThis.lastStop = element;
  if (isFurther) return { name, isSeen: true };
  element.blur();
  const isSeen = looks() !== focused;
  element.focus({ preventScroll: true });
  return { name, isSeen };
})()`;

const fits = (name: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name);

/** A driver of a page that has its keyboard and nothing else. */
export function keyboardOf(page: Page): Keyboard {
  const stop = async (): Promise<string> => {
    const { name, isSeen } = await page.evaluate<Stop>(LOOK);
    expect([name, isSeen]).toEqual([name, true]);
    return name;
  };
  return {
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    stop,
    async comesTo(wanted) {
      const test =
        typeof wanted === 'string' ? `name === ${JSON.stringify(wanted)}` : `${String(wanted)}.test(name)`;
      // The page's policy forbids what Playwright's own waiting does: to evaluate in it later on.
      const found = await page.evaluate<string>(`new Promise((resolve) => {
        const until = performance.now() + ${WAIT_MS};
        const look = () => {
          const { name } = ${NAME};
          if (${test} || performance.now() > until) resolve(name);
          else requestAnimationFrame(look);
        };
        look();
      })`);
      expect([String(wanted), fits(found, wanted) || found]).toEqual([String(wanted), true]);
      await stop();
    },
    async tabTo(wanted, key = 'Tab') {
      const passed: string[] = [];
      for (let stops = 0; stops < STOPS_MAX; stops += 1) {
        await page.keyboard.press(key);
        const { name, isSeen } = await page.evaluate<Stop>(LOOK);
        // Beyond the last stop is the browser's own frame, and then the first one.
        if (name === NOTHING) continue;
        expect([name, isSeen]).toEqual([name, true]);
        if (fits(name, wanted)) return;
        passed.push(name);
      }
      throw new Error(`No ${String(wanted)} by ${key}; there is: ${passed.join(' | ')}`);
    },
  };
}

/** Walks through the screens of a page by its keyboard; the page is read, and never acted on. */
export function walkOf(page: Page): Walk {
  const keyboard = keyboardOf(page);
  const fill: Walk['fill'] = async (fields) => {
    for (const [label, text] of Object.entries(fields)) {
      await keyboard.tabTo(`field ${label}`);
      await keyboard.type(text);
    }
  };
  return {
    keyboard,
    fill,
    said: (words) => said(page, words),
    async signIn(email, password) {
      await page.goto('/login');
      await fill({ 'E-mail': email, Password: password });
      await keyboard.press('Enter');
    },
    async goTo(what) {
      await page.getByRole('banner').waitFor();
      await keyboard.press('Control+k');
      await keyboard.comesTo(FIND);
      await keyboard.type(what);
      await keyboard.press('Enter');
      await keyboard.comesTo('main');
    },
    async choose(wanted) {
      for (let choices = 0; choices < CHOICES_MAX; choices += 1) {
        if (wanted.test(await keyboard.stop())) return;
        await keyboard.press('ArrowRight');
      }
      throw new Error(`There is no choice ${String(wanted)}.`);
    },
    async press(button) {
      await keyboard.tabTo(button);
      await keyboard.press('Enter');
    },
  };
}
