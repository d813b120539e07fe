/** The public page's only script: the menu of small screens. Without it the links simply stand in the header. */
const button = document.querySelector<HTMLButtonElement>('.burger');
const header = document.querySelector<HTMLElement>('.head');

function setOpen(open: boolean): void {
  button?.setAttribute('aria-expanded', String(open));
  header?.toggleAttribute('data-open', open);
}

document.documentElement.toggleAttribute('data-script', true);
button?.addEventListener('click', () => setOpen(button.getAttribute('aria-expanded') !== 'true'));
header?.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a') !== null) setOpen(false);
});
header?.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || button?.getAttribute('aria-expanded') !== 'true') return;
  setOpen(false);
  button.focus();
});
