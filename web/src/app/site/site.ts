import './site.css';
import { enableByLink, enableRegistration, enableSecondStep, enableSignIn } from './account';
import { runSlides } from './carousel';
import { showFigures } from './figures';
import { enableForm } from './form';
import { enableMenu } from './menu';

/** The script of the site's pages. Without it they can be read, and their forms stay shut. */
enableMenu();
for (const hero of document.querySelectorAll<HTMLElement>('[data-slides]')) runSlides(hero);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-kind]')) open(form);
await showFigures();

function open(form: HTMLFormElement): void {
  const { kind, done = '' } = form.dataset;
  if (kind === 'sign-in') void enableSignIn(form);
  else if (kind === 'second-step') enableSecondStep(form);
  else if (kind === 'register') enableRegistration(form);
  else if (kind === 'by-link') enableByLink(form);
  else
    enableForm(form, ({ tell, clear }) => {
      clear();
      tell(done);
    });
}
