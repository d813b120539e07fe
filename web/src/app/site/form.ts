import { detailOf, isOutcomeUnknown, readProblem, UNKNOWN_OUTCOME, type ApiError } from '../../api';
import { newKey } from '../../lib';

/** For how long something is said that asks for nothing, as the product's toasts do; milliseconds. */
const TOLD_MS = 5_000;
const UNREACHABLE = 'The service could not be reached. Please try again.';

/** What can be said in a form. */
export type FormWords = {
  /** Says that something went well, for five seconds; a pointer on it, or a window that is not looked at, stops the time. */
  readonly tell: (text: string) => void;
  /** Says why it didn't, until it is sent again. */
  readonly refuse: (text: string) => void;
  readonly clear: () => void;
};

type Words = FormWords & { readonly answer: unknown };
type Fields = Readonly<Record<string, string>>;

type Manner = {
  /** What is said of a refusal; by default the server's own words. */
  readonly refusalOf?: (error: ApiError) => string;
  /** What is said before anything was sent: why whoever comes here has to. */
  readonly why?: string | undefined;
  /** What is said before anything was sent, and asks for nothing. */
  readonly noted?: string | undefined;
};

/** Opens a form and sends it as JSON to the address that it names; `taken` hears of the answer. */
export function enableForm(form: HTMLFormElement, taken: (words: Words) => void, manner: Manner = {}): void {
  const { refusalOf = wordsOf } = manner;
  const shut = form.querySelector('fieldset');
  const place = form.querySelector<HTMLElement>('.told[role]');
  if (!shut || !place) return;
  const { silence, tell, refuse, note } = wordsIn(place);
  const words = { tell, refuse, clear: () => form.reset() };
  const covers = [...form.querySelectorAll<HTMLInputElement>('[type=password]')].map(addShow);
  const send = whileBusy(form, async () => {
    const fields = fieldsOf(form);
    mark(form, []);
    // The same words again are heard again.
    silence();
    for (const cover of covers) cover();
    const answer = await post(form.getAttribute('action') ?? '', fields, keyOf(form, fields));
    if ('error' in answer) {
      if (answer.error.kind === 'problem') mark(form, answer.error.errors);
      words.refuse(refusalOf(answer.error));
    } else taken({ ...words, answer: answer.content });
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  shut.disabled = false;
  if (manner.why !== undefined) words.refuse(manner.why);
  else if (manner.noted !== undefined) note(manner.noted);
}

function wordsOf(error: ApiError): string {
  return isOutcomeUnknown(error) ? UNKNOWN_OUTCOME : (detailOf(error) ?? UNREACHABLE);
}

function fieldsOf(form: HTMLFormElement): Fields {
  const inputs = form.querySelectorAll<HTMLInputElement>('input, textarea');
  return Object.fromEntries([...inputs].map(({ name, value }) => [name, value]));
}

/** What was typed, and the key that it is sent under: the same as long as it is the same. */
const keys = new WeakMap<HTMLFormElement, { readonly typed: string; readonly key: string }>();

function keyOf(form: HTMLFormElement, fields: Fields): string {
  const typed = JSON.stringify(fields);
  const known = keys.get(form);
  if (known?.typed === typed) return known.key;
  const key = newKey();
  keys.set(form, { typed, key });
  return key;
}

type Answer = { readonly content: unknown } | { readonly error: ApiError };

/** Sends something as JSON under a key. */
export async function post(address: string, body: unknown, key: string): Promise<Answer> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    return response.ok ? { content: await response.json() } : { error: await readProblem(response) };
  } catch {
    return { error: { kind: 'unreachable' } };
  }
}

/** Puts a button beside a password that shows it, and gives what covers it again. */
function addShow(input: HTMLInputElement): () => void {
  const button = document.createElement('button');
  const name = input.labels?.[0]?.textContent.toLowerCase() ?? 'password';
  const show = (isShown: boolean) => {
    input.type = isShown ? 'text' : 'password';
    button.textContent = isShown ? 'Hide' : 'Show';
    button.ariaLabel = `${button.textContent} ${name}`;
  };
  button.type = 'button';
  button.className = 'show';
  button.addEventListener('click', () => show(input.type === 'password'));
  show(false);
  input.after(button);
  return () => show(false);
}

/** Runs `work` once at a time; meanwhile the button says so. */
function whileBusy(form: HTMLFormElement, work: () => Promise<void>): () => Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('[type=submit]');
  const label = button?.textContent ?? '';
  return async () => {
    if (!button || button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    button.textContent = 'Please wait';
    await work().finally(() => {
      button.ariaDisabled = null;
      button.textContent = label;
    });
  };
}

/** Puts under each field what is wrong with it, and the focus into the first of those. */
function mark(
  form: HTMLFormElement,
  errors: readonly { readonly path: string; readonly message: string }[],
): void {
  for (const input of form.querySelectorAll<HTMLInputElement>('.field input, .field textarea')) {
    const wrong = errors.find(({ path }) => path === input.name || path.endsWith(`.${input.name}`));
    const said = document.getElementById(`${input.id}-said`);
    input.toggleAttribute('data-wrong', wrong !== undefined);
    input.ariaInvalid = wrong === undefined ? null : 'true';
    if (said) said.textContent = wrong?.message ?? said.dataset['hint'] ?? '';
  }
  form.querySelector<HTMLInputElement>('[data-wrong]')?.focus();
}

/** Something said in a place of the page, which whoever can't see it hears. */
export function wordsIn(place: HTMLElement): Omit<FormWords, 'clear'> & {
  /** Says something that is neither, until something else is said. */
  readonly note: (text: string) => void;
  readonly silence: () => void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    place.textContent = '';
    delete place.dataset['kind'];
  };
  const hold = () => clearTimeout(timer);
  const go = () => {
    hold();
    if (place.dataset['kind'] === 'done') timer = setTimeout(hide, TOLD_MS);
  };
  const say = (kind: 'done' | 'noted' | 'refused') => (text: string) => {
    place.dataset['kind'] = kind;
    place.textContent = text;
    go();
  };
  place.addEventListener('pointerenter', hold);
  place.addEventListener('pointerleave', go);
  addEventListener('blur', hold);
  addEventListener('focus', go);
  return { tell: say('done'), note: say('noted'), refuse: say('refused'), silence: hide };
}
