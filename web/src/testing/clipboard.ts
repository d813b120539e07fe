import { jest } from '@jest/globals';

/** The texts that are put on the clipboard from now on, in order. Asked for once a screen is rendered, whose user brings one. */
export function clipboard(): readonly string[] {
  const texts: string[] = [];
  jest.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void texts.push(text));
  return texts;
}
