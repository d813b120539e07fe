import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import type { Refusal } from '../../api';
import { notifyError } from '../../ui';

/** Says why a form was refused: at the field that it is about, which gets the focus, or else in a toast. */
export function tellRefusal<Fields extends FieldValues>(
  refusal: Refusal<Path<Fields>>,
  setError: UseFormSetError<Fields>,
): void {
  if (refusal.kind === 'session') return;
  const { field, message } = refusal;
  if (field === 'form') notifyError(message);
  else setError(field, { message }, { shouldFocus: true });
}
