import {
  Button,
  createTheme,
  Input,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

/** Our colours follow the scheme by themselves, so a Mantine "shade" is always the same token. */
const shades = (value: string) => Array.from({ length: 10 }, () => value) as unknown as MantineColorsTuple;

const buttons: Record<string, Record<string, string>> = {
  filled: {
    '--button-bg': 'var(--copper-fill)',
    '--button-hover': 'var(--copper-fill-hover)',
    '--button-color': 'var(--on-copper)',
    '--button-bd': '1px solid transparent',
  },
  default: {
    '--button-bg': 'var(--surface)',
    '--button-hover': 'var(--sunken)',
    '--button-color': 'var(--ink)',
    '--button-bd': '1px solid var(--line-strong)',
  },
  danger: {
    '--button-bg': 'transparent',
    '--button-hover': 'var(--debit-tint)',
    '--button-color': 'var(--debit)',
    '--button-bd': '1px solid color-mix(in oklch, var(--debit) 55%, var(--line))',
  },
  subtle: {
    '--button-bg': 'transparent',
    '--button-hover': 'var(--sunken)',
    '--button-color': 'var(--ink-soft)',
    '--button-bd': '1px solid transparent',
  },
};

/** The tokens as Mantine's theme. */
export const theme = createTheme({
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-code)',
  primaryColor: 'copper',
  colors: { copper: shades('var(--copper-fill)') },
  defaultRadius: 'sm',
  radius: { sm: 'var(--radius-control)', md: 'var(--radius-card)', lg: 'var(--radius-dialog)' },
  fontSizes: { xs: 'var(--text-sm)', sm: 'var(--text-md)', md: 'var(--text-md)', lg: 'var(--text-lg)' },
  lineHeights: { md: '1.5' },
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      classNames: { root: 'lode-button' },
      vars: (_theme, { variant = 'filled' }) => ({ root: buttons[variant] ?? {} }),
    }),
    // By name, so that the menu's code stays out of the first screen.
    Menu: {
      defaultProps: { withInitialFocusPlaceholder: false, offset: 4, transitionProps: { duration: 0 } },
      classNames: { dropdown: 'lode-menu', item: 'lode-menu-item', label: 'lode-menu-label' },
    },
    Input: Input.extend({ classNames: { wrapper: 'lode-input' } }),
    InputWrapper: Input.Wrapper.extend({
      classNames: { label: 'lode-label', error: 'lode-error', description: 'lode-hint' },
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
    }),
  },
});

const both = {
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-body': 'var(--ground)',
  '--mantine-color-error': 'var(--debit)',
  '--mantine-color-placeholder': 'var(--ink-faint)',
  '--mantine-color-anchor': 'var(--copper)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-faint)',
  '--mantine-primary-color-filled': 'var(--copper-fill)',
  '--mantine-primary-color-filled-hover': 'var(--copper-fill-hover)',
  '--mantine-primary-color-contrast': 'var(--on-copper)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: both, dark: both });
