import { remember } from './told';

/** Its code comes after the first screen, which has nothing to say yet. What is said stays in a customer's list of notifications. */
function toasts(message: string) {
  remember(message);
  return import('react-toastify/unstyled');
}

/** Says that something was done, politely: it waits until a screen reader has finished its sentence. */
export function notifySuccess(message: string): void {
  void toasts(message).then(({ toast }) => toast.success(message, { role: 'status' }));
}

/** Says that something failed, at once. */
export function notifyError(message: string): void {
  void toasts(message).then(({ toast }) => toast.error(message, { role: 'alert' }));
}

/** Says something that is neither good nor bad. */
export function notify(message: string): void {
  void toasts(message).then(({ toast }) => toast(message, { role: 'status' }));
}

/** Says how something is, politely. */
export function notifyInfo(message: string): void {
  void toasts(message).then(({ toast }) => toast.info(message, { role: 'status' }));
}

/** Says what the service answered: that it is done, or that it waits for other admins. */
export function notifyAnswer(
  answer: { readonly message: string; readonly approvals?: unknown },
  done?: string,
): void {
  if (answer.approvals === undefined) notifySuccess(done ?? answer.message);
  else notifyInfo(answer.message);
}

/** Says that something was done, but not all of it, at once. */
export function notifyWarning(message: string): void {
  void toasts(message).then(({ toast }) => toast.warning(message, { role: 'alert' }));
}
