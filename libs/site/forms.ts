import { html, type Html } from './html.js';

type Field = {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'tel' | 'password';
  readonly autocomplete?: string;
  readonly hint?: string;
  /** Several lines, where it is given. */
  readonly rows?: number;
};

/** A field under its label, with the place of what is wrong with it. */
export function field({ name, label, type = 'text', autocomplete = 'off', hint, rows }: Field): Html {
  const described = `${name}-said`;
  const input =
    rows === undefined
      ? html`<input
          id="${name}"
          name="${name}"
          type="${type}"
          autocomplete="${autocomplete}"
          aria-describedby="${described}"
        />`
      : html`<textarea
          id="${name}"
          name="${name}"
          rows="${rows}"
          aria-describedby="${described}"
        ></textarea>`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${input}
    <p class="said" id="${described}" data-hint="${hint ?? ''}">${hint ?? ''}</p>
  </div>`;
}

type Form = {
  /** What the script does with its answer. */
  readonly kind: 'message' | 'sign-in' | 'second-step' | 'register' | 'by-link';
  /** The path of the API that takes it. */
  readonly action: string;
  readonly fields: Html;
  readonly button: string;
  /** What is said once it was taken. */
  readonly done: string;
  /** The page that comes after it. */
  readonly next?: string;
  /** The path of the API that goes on with a session. */
  readonly refresh?: string;
};

/** A form that the page's script sends. Until that is there it can't be sent at all: nothing typed gets into an address. */
export function form({ kind, action, fields, button, done, next, refresh }: Form): Html {
  return html`<form
    method="post"
    action="${action}"
    data-kind="${kind}"
    data-done="${done}"
    ${next !== undefined && html`data-next="${next}"`}
    ${refresh !== undefined && html`data-refresh="${refresh}"`}
    novalidate
  >
    <p class="told" role="status"></p>
    <noscript
      ><p class="told">This form needs JavaScript, which is switched off in this browser.</p></noscript
    >
    <fieldset disabled>
      ${fields}
      <button class="button primary" type="submit">${button}</button>
    </fieldset>
  </form>`;
}
