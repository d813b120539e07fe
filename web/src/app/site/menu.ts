/** The menu of small screens. Without it the links simply stand in the header. */
export function enableMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.burger');
  const header = document.querySelector<HTMLElement>('.head');
  const setOpen = (open: boolean) => {
    button?.setAttribute('aria-expanded', String(open));
    header?.toggleAttribute('data-open', open);
  };
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
}
