import { pagePaths, routes, sitePaths, type Content } from '#contracts';
import { field, form } from './forms.js';
import { html, type Html } from './html.js';
import { riskNotice, type Sheet } from './layout.js';
import type { LinkWay, SiteView } from './view.js';

/** `/login` */
export function login({ content }: SiteView): Sheet {
  return {
    title: 'Login',
    description: `Sign in to your wallet at ${content.company.name}.`,
    path: sitePaths.login,
    body: frame(
      'Login',
      html`${form({
          kind: 'sign-in',
          action: routes.signIn.path,
          next: pagePaths.dashboard,
          refresh: routes.refresh.path,
          button: 'Login',
          done: 'Login successful',
          fields: html`${field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' })}
          ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}`,
        })}
        <div data-second-step hidden>
          <div data-passkey hidden>
            <p class="told" role="status"></p>
            <button class="button primary" type="button">Use your passkey</button>
            <p class="soft">Not at hand? Use a code.</p>
          </div>
          ${form({
            kind: 'second-step',
            action: routes.finishSignIn.path,
            next: pagePaths.dashboard,
            button: 'Continue',
            done: 'Login successful',
            fields: html`<input type="hidden" name="challenge" /> ${field({
                name: 'code',
                label: 'Code',
                autocomplete: 'one-time-code',
                hint: 'Six digits from your authenticator app. Not at hand? Use a recovery code.',
              })}`,
          })}
          <p class="soft"><a class="link" href="${sitePaths.login}">Start again</a></p>
        </div>
        <p class="soft" data-first-step>
          <a class="link" href="${sitePaths.forgotPassword}">Forgot your password?</a> No account yet?
          <a class="link" href="${sitePaths.register}">Register</a>
        </p>`,
    ),
  };
}

/** `/register`: a customer's account. */
export function register(view: SiteView): Sheet {
  return {
    title: 'Register',
    description: `Open a wallet at ${view.content.company.name}. It begins at zero, and no return is promised.`,
    path: sitePaths.register,
    body: html`${riskNotice(view.content)}
    ${frame(
      'Register',
      html`${registration(view)}
        <p class="soft">Already registered? <a class="link" href="${sitePaths.login}">Login</a></p>`,
    )}`,
  };
}

/** `/auth/register`: an admin's account, by invitation. */
export function registerAdmin(view: SiteView): Sheet {
  return {
    title: 'Register an admin',
    description: 'An admin’s account, by invitation.',
    path: sitePaths.registerAdmin,
    isFound: false,
    body: frame(
      'Register an admin',
      html`<p class="soft">
          An admin’s account needs an invitation: the link that an admin or the operator sent you. It works
          once.
        </p>
        ${registration(view, html`<input type="hidden" name="invitation" />`)}
        <p class="soft"><a class="link" href="${sitePaths.login}">Login</a></p>`,
    ),
  };
}

/**
 * `/forgot-password`: asks for a link by mail. What is said is the same whether somebody has the e-mail or not. Where nobody is
 * sent mails, it says so.
 */
export function forgotPassword({ content, linkWay }: SiteView): Sheet {
  return {
    title: 'Forgot password',
    description: `Ask for a link to set a new password at ${content.company.name}.`,
    path: sitePaths.forgotPassword,
    isFound: false,
    body: frame(
      'Forgot password',
      html`${linkWay === 'none' ? noLinks : askForLink(linkWay)}
        <p class="soft"><a class="link" href="${sitePaths.login}">Login</a></p>`,
    ),
  };
}

const noLinks = html`<p class="soft">
  No mails are sent from here, so no link can be. Please
  <a class="link" href="${sitePaths.contact}">write to us</a>.
</p>`;

function askForLink(way: Exclude<LinkWay, 'none'>): Html {
  const { told, done } = linkWords[way];
  return html`<p class="soft">${told} It is good for 30 minutes from when you ask, and once.</p>
    ${form({
      kind: 'message',
      action: routes.requestPasswordReset.path,
      button: 'Send link',
      done,
      fields: field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' }),
    })}`;
}

const linkWords = {
  mail: {
    told: 'A link to set a new one is sent to your e-mail address.',
    done: 'If somebody has this e-mail address here, a link is on its way to it.',
  },
  console: {
    told: 'No mails are sent from here: a link to set a new one is shown on the console that Lode runs in.',
    done: 'If somebody has this e-mail address here, its link is on the console.',
  },
} as const;

/** `/reset-password`: sets a new password by the link of a mail, whose token stands behind the # of the address. */
export function resetPassword({ passwordMin }: SiteView): Sheet {
  return {
    title: 'Set a new password',
    description: 'Set a new password by the link that was sent to you.',
    path: sitePaths.resetPassword,
    isFound: false,
    body: frame(
      'Set a new password',
      html`<p class="soft">It ends all your sessions, on every device. You sign in anew.</p>
        ${form({
          kind: 'by-link',
          action: routes.resetPassword.path,
          next: sitePaths.login,
          button: 'Set password',
          done: 'Password updated successfully!',
          fields: html`<input type="hidden" name="token" />
            ${field({ name: 'newPassword', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${passwordMin} characters.` })}`,
        })}
        <p class="soft" data-instead>
          This page is opened by the link of a mail.
          <a class="link" href="${sitePaths.forgotPassword}">Ask for a link</a>
        </p>`,
    ),
  };
}

/** `/verify-email`: verifies an e-mail address by the link of a mail, once its button is pressed: who only opens it uses nothing up. */
export function verifyEmail(): Sheet {
  return {
    title: 'Verify your e-mail address',
    description: 'Verify your e-mail address by the link that was sent to it.',
    path: sitePaths.verifyEmail,
    isFound: false,
    body: frame(
      'Verify your e-mail address',
      html`${form({
          kind: 'by-link',
          action: routes.verifyEmail.path,
          next: pagePaths.dashboard,
          button: 'Verify e-mail address',
          done: 'Your e-mail address is verified.',
          fields: html`<input type="hidden" name="token" />`,
        })}
        <p class="soft" data-instead>
          This page is opened by the link of a mail. Your dashboard sends it again.
          <a class="link" href="${pagePaths.dashboard}">Dashboard</a>
        </p>`,
    ),
  };
}

/** `/confirm-email`: gives an account the e-mail address that the link was sent to, once its button is pressed. */
export function confirmEmail(): Sheet {
  return {
    title: 'Confirm your new e-mail address',
    description: 'Use another e-mail address for your account by the link that was sent to it.',
    path: sitePaths.confirmEmail,
    isFound: false,
    body: frame(
      'Confirm your new e-mail address',
      html`<p class="soft">
          You sign in by it from then on. All your sessions end but the one that you asked in, and no money
          leaves your account for the waiting time.
        </p>
        ${form({
          kind: 'by-link',
          action: routes.confirmEmailChange.path,
          next: sitePaths.login,
          button: 'Use this e-mail address',
          done: 'Your e-mail address was changed.',
          fields: html`<input type="hidden" name="token" />`,
        })}
        <p class="soft" data-instead>
          This page is opened by the link of a mail. Your settings send it again.
          <a class="link" href="${pagePaths.settings}">Settings</a>
        </p>`,
    ),
  };
}

function frame(title: string, body: Html): Html {
  return html`<section class="first">
    <div class="wrap">
      <div class="card narrow">
        <h1>${title}</h1>
        ${body}
      </div>
    </div>
  </section>`;
}

/** What somebody says of themselves; `more` are fields that nobody sees. */
function registration(
  { content, passwordMin, toAccept }: Pick<SiteView, 'content' | 'passwordMin' | 'toAccept'>,
  more?: Html,
): Html {
  const hint = `At least ${passwordMin} characters.`;
  return form({
    kind: 'register',
    action: routes.register.path,
    next: sitePaths.login,
    button: 'Register',
    done: 'Registration successful. Redirecting to login...',
    fields: html`<div class="pair">
        ${field({ name: 'firstname', label: 'First name', autocomplete: 'given-name' })}
        ${field({ name: 'lastname', label: 'Last name', autocomplete: 'family-name' })}
      </div>
      ${field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email' })}
      ${field({ name: 'phone', label: 'Phone', type: 'tel', autocomplete: 'tel' })}
      ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint })}
      ${field({
        name: 'confirmPassword',
        label: 'Confirm password',
        type: 'password',
        autocomplete: 'new-password',
      })}
      ${more}
      <div data-accepting>
        <input type="hidden" name="terms" value="${toAccept.terms}" />
        <input type="hidden" name="privacy" value="${toAccept.privacy}" />
        ${accepting(content)}
      </div>`,
  });
}

/** What whoever registers accepts by it: of the operator's texts those that say something. */
function accepting(content: Content): Html | undefined {
  const links = (['terms', 'privacy'] as const)
    .filter((name) => content[name].text !== '')
    .map((name) => html`<a class="link" href="${sitePaths[name]}">${content[name].title}</a>`);
  const [first, second] = links;
  if (first === undefined) return undefined;
  return html`<p class="soft">By registering you accept: ${first}${second && html`, ${second}`}.</p>`;
}
