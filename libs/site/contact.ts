import { routes, sitePaths, type Contact } from '#contracts';
import { field, form } from './forms.js';
import { html, paragraphs, type Html } from './html.js';
import { riskNotice, type Sheet } from './layout.js';
import type { SiteView } from './view.js';

/** `/Contact-us` */
export function contactUs({ content, contact }: SiteView): Sheet {
  const { title, text, formTitle } = content.contact;
  return {
    title,
    description: text,
    path: sitePaths.contact,
    body: html`<section class="first">
        <div class="wrap contact">
          <div>
            <h1>${title}</h1>
            <div class="lead">${paragraphs(text)}</div>
            ${whereabouts(contact)}
          </div>
          <section class="card" aria-labelledby="get-in-touch">
            <h2 id="get-in-touch">${formTitle}</h2>
            ${form({
              kind: 'message',
              action: routes.sendMessage.path,
              button: 'Send message',
              done: 'Message sent successfully!',
              fields: html`${field({ name: 'name', label: 'Name', autocomplete: 'name' })}
              ${field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email' })}
              ${field({ name: 'businessType', label: 'Business type', autocomplete: 'organization' })}
              ${field({ name: 'phone', label: 'Phone', type: 'tel', autocomplete: 'tel' })}
              ${field({ name: 'message', label: 'Message', type: 'text', rows: 5 })}`,
            })}
          </section>
        </div>
      </section>
      ${riskNotice(content)}`,
  };
}

/** The head office, as far as an operator has said where it is. */
function whereabouts({ contactAddress, email, phoneNumber }: Contact): Html {
  if (contactAddress === null && email === null && phoneNumber === null) return html``;
  const phone = phoneNumber?.replace(/[^\d+]/g, '') ?? '';
  return html`<h2>Head office</h2>
    <dl class="whereabouts">
      ${
        contactAddress !== null &&
        html`<dt>Address</dt>
          <dd>${paragraphs(contactAddress)}</dd>`
      }
      ${
        email !== null &&
        html`<dt>E-mail</dt>
          <dd><a class="link" href="mailto:${email}">${email}</a></dd>`
      }
      ${
        phoneNumber !== null &&
        html`<dt>Phone</dt>
          <dd><a class="link" href="tel:${phone}">${phoneNumber}</a></dd>`
      }
    </dl>`;
}
