import { config } from 'zod/v4/core';

/**
 * What has to be so before any other module is evaluated: zod must not probe for `eval`, which the page's policy forbids
 * and reports, and Mantine must find the reader's colour scheme when it draws for the first time.
 */
config({ jitless: true });

/** Where Mantine keeps the scheme that was chosen in Settings. */
const chosen = localStorage.getItem('mantine-color-scheme-value');
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
