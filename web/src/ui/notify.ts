import { toast } from 'react-toastify/unstyled';

/** Says that something was done, politely: it waits until a screen reader has finished its sentence. */
export function notifySuccess(message: string): void {
  toast.success(message, { role: 'status' });
}

/** Says that something failed, at once. */
export function notifyError(message: string): void {
  toast.error(message, { role: 'alert' });
}
