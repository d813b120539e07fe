import type { SecondStep, Session } from '#contracts';
import {
  detailOf,
  hasCode,
  isOutcomeUnknown,
  readProblem,
  REFRESH_LOCK,
  SESSION_CHANNEL,
  UNKNOWN_OUTCOME,
  USER_ID_ITEM,
} from '../../api';
import type { ApiError } from '../../api';
import { newKey, underLock } from '../../lib';
import { enableForm, post, wordsIn, type FormWords } from './form';

const MISSING = 'Email and password are required';
const OVER = 'Your session is over. Please sign in again.';
/** How somebody comes here whose account was just closed, and what that is told. */
const CLOSED_HASH = '#closed';
const CLOSED = 'Your account is closed, for ever.';
/** After this the form is opened, whatever became of the session that there may be; milliseconds. */
const GO_ON_MS = 5_000;
/** The product's pause before the sign-in page. */
const REDIRECT_MS = 2_000;

/** Opens the sign-in form, unless this browser has a session already, which goes on; of one that is over it says so. */
export async function enableSignIn(form: HTMLFormElement): Promise<void> {
  const session = await goOn(form);
  if (session === 'goes on') return;
  enableForm(
    form,
    ({ tell, answer }) => {
      if (isSecondStep(answer)) askForMore(form, answer);
      else goIn(form, tell, answer);
    },
    {
      why: session?.over,
      noted: location.hash === CLOSED_HASH ? CLOSED : undefined,
      refusalOf: (error) => {
        const password = form.querySelector<HTMLInputElement>('[name=password]');
        if (password) password.value = '';
        password?.focus();
        return signInRefusal(error);
      },
    },
  );
}

/** Opens the form of the second step, which is shown once the password was right. */
export function enableSecondStep(form: HTMLFormElement): void {
  enableForm(form, ({ tell, answer }) => goIn(form, tell, answer), {
    refusalOf: (error) => {
      const code = form.querySelector<HTMLInputElement>('[name=code]');
      code?.select();
      code?.focus();
      return secondStepRefusal(error);
    },
  });
}

/** Asks for a passkey of whoever has one, or for a code, in the place of e-mail and password. */
function askForMore(form: HTMLFormElement, { challenge, passkey }: SecondStep): void {
  const next = document.querySelector<HTMLElement>('[data-second-step]');
  const given = next?.querySelector<HTMLInputElement>('[name=challenge]');
  if (!next || !given) return;
  given.value = challenge;
  form.reset();
  form.hidden = true;
  document.querySelector('[data-first-step]')?.setAttribute('hidden', '');
  next.hidden = false;
  next.querySelector<HTMLInputElement>('[name=code]')?.focus();
  const place = next.querySelector<HTMLElement>('[data-passkey]');
  if (passkey && place) enablePasskey(place, challenge, passkey);
}

/** Shows the button that has a passkey sign, and goes in once it did. A browser that was canceled is asked again by it. */
function enablePasskey(
  place: HTMLElement,
  challenge: string,
  options: NonNullable<SecondStep['passkey']>,
): void {
  const button = place.querySelector('button');
  const said = place.querySelector<HTMLElement>('.told');
  const form = place.parentElement?.querySelector('form');
  if (!button || !said || !form) return;
  const { tell, note, refuse, silence } = wordsIn(said);
  const use = async () => {
    silence();
    const { signByPasskey } = await import('../../webauthn');
    const signed = await signByPasskey(options);
    if ('said' in signed) {
      note(signed.said);
      return;
    }
    const body = { challenge, passkey: signed.passkey };
    const answer = await post(form.getAttribute('action') ?? '', body, newKey());
    if ('error' in answer) refuse(secondStepRefusal(answer.error));
    else goIn(form, tell, answer.content);
  };
  const failed = () => refuse('The service could not be reached. Please try again.');
  button.addEventListener('click', () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    void use()
      .catch(failed)
      .finally(() => (button.ariaDisabled = null));
  });
  place.hidden = false;
  button.focus();
}

/** Says that it is done, and goes in. */
function goIn(form: HTMLFormElement, tell: FormWords['tell'], answer: unknown): void {
  tell(form.dataset['done'] ?? '');
  begin(answer);
  location.replace(nextOf(form));
}

/** Opens the registration form; that of an admin only with the invitation that the address has. */
export function enableRegistration(form: HTMLFormElement): void {
  const invitation = form.querySelector<HTMLInputElement>('[name=invitation]');
  if (invitation) {
    invitation.value = invitationIn(location.hash) || invitationIn(location.search);
    // A link that is opened where the page is already loads no page.
    addEventListener('hashchange', () => {
      if (invitationIn(location.hash) !== '') location.reload();
    });
    if (invitation.value === '') {
      form.remove();
      return;
    }
    // Neither the history of the browser nor a picture of the page keeps it.
    history.replaceState(null, '', location.pathname);
  }
  enableForm(form, thenGoOn(form), {
    refusalOf: (error) => {
      // Where that fails too, whoever sends the form again has it shown then.
      if (hasCode(error, 'terms_changed')) showAccepted(form).catch(() => undefined);
      return registrationRefusal(error);
    },
  });
}

/** Puts what is accepted by registering now in the place of what the page showed. */
async function showAccepted(form: HTMLFormElement): Promise<void> {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return;
  const page = await answer.text();
  const now = new DOMParser().parseFromString(page, 'text/html').querySelector('[data-accepting]');
  if (now) form.querySelector('[data-accepting]')?.replaceWith(now);
}

/** Links of before have it in the query. */
function invitationIn(part: string): string {
  return new URLSearchParams(part.slice(1)).get('invitation') ?? '';
}

/**
 * Opens a form with the token of the link, which is taken out of the address: neither the history of
 * the browser nor a picture of the page keeps it. Without one the form is not shown.
 */
export function enableByLink(form: HTMLFormElement): void {
  const token = form.querySelector<HTMLInputElement>('[name=token]');
  const instead = document.querySelector<HTMLElement>('[data-instead]');
  const take = () => {
    const given = location.hash.slice(1);
    if (!token || given === '') return;
    token.value = given;
    history.replaceState(null, '', location.pathname);
    form.hidden = false;
    if (instead) instead.hidden = true;
  };
  form.hidden = true;
  take();
  // A second link that is opened where the first one was loads no page.
  addEventListener('hashchange', take);
  enableForm(form, thenGoOn(form));
}

/** Says that it is done, and after a pause goes to the page that comes next. */
function thenGoOn(form: HTMLFormElement): (words: Pick<FormWords, 'tell'>) => void {
  return ({ tell }) => {
    form.querySelector('fieldset')?.setAttribute('disabled', '');
    tell(form.dataset['done'] ?? '');
    setTimeout(() => location.assign(form.dataset['next'] ?? '/'), REDIRECT_MS);
  };
}

/** As `signInRefusal`; a step that is over is told in the service's own sentence. */
function secondStepRefusal(error: ApiError): string {
  return hasCode(error, 'challenge_invalid') ? (detailOf(error) ?? '') : signInRefusal(error);
}

/** The product's words for a refused sign-in: the service's own sentence about an account, else the reason. */
function signInRefusal(error: ApiError): string {
  if (isOutcomeUnknown(error)) return UNKNOWN_OUTCOME;
  const detail = detailOf(error);
  if (detail === undefined) return 'Login failed: the service could not be reached';
  const isSentence = hasCode(error, 'account_suspended', 'account_not_found');
  return isSentence || detail === MISSING ? detail : `Login failed: ${detail}`;
}

function registrationRefusal(error: ApiError): string {
  if (hasCode(error, 'email_exists')) return 'User already exists';
  if (isOutcomeUnknown(error)) return UNKNOWN_OUTCOME;
  return detailOf(error) ?? 'The service could not be reached. Please try again.';
}

/** Where to go after a sign-in: only ever to a path of this origin. */
function nextOf(form: HTMLFormElement): string {
  const next = new URLSearchParams(location.search).get('next') ?? '';
  return /^\/[a-z]/i.test(next) ? next : (form.dataset['next'] ?? '/');
}

/** Goes on with the session that this browser has, or gives the words for one that is over; nothing where there was none. */
async function goOn(form: HTMLFormElement): Promise<'goes on' | { readonly over: string } | undefined> {
  const refresh = form.dataset['refresh'];
  if (refresh === undefined || localStorage.getItem(USER_ID_ITEM) === null) return undefined;
  // Another tab that is stuck in its turn keeps nobody from signing in here.
  const signal = AbortSignal.timeout(GO_ON_MS);
  const renew = () => fetch(refresh, { method: 'POST', signal });
  const response = await underLock(REFRESH_LOCK, renew, signal).catch(() => undefined);
  if (response === undefined) return undefined;
  if (!response.ok) return overOf(await readProblem(response));
  begin(await response.json());
  location.replace(nextOf(form));
  return 'goes on';
}

/** The service may also have no time now, which says nothing about the session. */
function overOf(error: ApiError): { readonly over: string } | undefined {
  if (hasCode(error, 'account_suspended')) return { over: detailOf(error) ?? OVER };
  return hasCode(error, 'token_missing', 'token_invalid', 'token_expired') ? { over: OVER } : undefined;
}

/** Takes a session, in every tab. The app that is gone to renews it by its cookie. */
function begin(answer: unknown): void {
  if (!isSession(answer)) return;
  localStorage.setItem(USER_ID_ITEM, answer.user.userId);
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.postMessage({ kind: 'session', session: answer });
  channel.close();
}

function isSecondStep(answer: unknown): answer is SecondStep {
  return typeof answer === 'object' && answer !== null && 'challenge' in answer;
}

function isSession(answer: unknown): answer is Session {
  return typeof answer === 'object' && answer !== null && 'user' in answer && 'accessToken' in answer;
}
