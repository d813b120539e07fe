import { config } from 'zod/v4/core';

/**
 * What has to be so before any other module is evaluated: zod must not probe for `eval`, which the page's policy forbids
 * and reports, and Mantine must find the reader's colour scheme when it draws for the first time.
 */
config({ jitless: true });

const dark = matchMedia('(prefers-color-scheme: dark)');
document.documentElement.setAttribute('data-mantine-color-scheme', dark.matches ? 'dark' : 'light');
