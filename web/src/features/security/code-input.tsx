import { TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';

/** The codes of a refusal of a second factor's code, each said at the field `code`. */
export const codeCodes = { second_factor_wrong: 'code', second_factor_missing: 'code' } as const;

/** What a form's `code` is sent as: nothing where it was not asked for. */
export function codeOf(code: string): { readonly code?: string } {
  return code.trim() === '' ? {} : { code };
}

/** Says what is wrong with a code before it is sent. */
export function codeProblem(code: string): string | true {
  return code.trim() !== '' || 'Please enter the code.';
}

type Props = Pick<ComponentProps<'input'>, 'name' | 'onChange' | 'onBlur' | 'ref'> & {
  readonly error: string | undefined;
};

/** The code that an authenticator app shows just now. */
export function CodeInput(props: Props) {
  return (
    <TextInput
      label="Code of your authenticator app"
      inputMode="numeric"
      autoComplete="one-time-code"
      {...props}
    />
  );
}
