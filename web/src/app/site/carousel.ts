/** How long a slide stands before the next one comes by itself; milliseconds. */
const ADVANCE_MS = 120_000;

/**
 * Lets the pictures behind the hero be changed: by its arrows, of which one is hidden at each end, and by itself until the
 * last one, unless somebody stops it or asked their system for less motion.
 */
export function runSlides(hero: HTMLElement): void {
  const slides = [...hero.querySelectorAll<HTMLElement>('.slide')];
  const button = (name: string) => hero.querySelector<HTMLButtonElement>(`[data-${name}]`);
  const [stop, previous, next] = [button('stop'), button('previous'), button('next')];
  const controls = stop?.parentElement;
  if (slides.length < 2 || !controls || !stop || !previous || !next) return;
  const dots = [...controls.querySelectorAll('.dots i')];
  const told = controls.querySelector('[data-told]');
  const last = slides.length - 1;
  let at = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (index: number) => {
    at = Math.min(Math.max(index, 0), last);
    slides.forEach((slide, place) => slide.toggleAttribute('hidden', place !== at));
    dots.forEach((dot, place) => dot.toggleAttribute('data-now', place === at));
    previous.hidden = at === 0;
    next.hidden = at === last;
  };
  /** Changes which buttons are there; whoever was on one that goes is led to one that stays. */
  const keepFocus = (change: () => void) => {
    const focused = [stop, previous, next].find((one) => one === document.activeElement);
    change();
    if (focused?.hidden === true) (next.hidden ? previous : next).focus();
  };
  const halt = () => {
    clearTimeout(timer);
    timer = undefined;
    stop.hidden = true;
  };
  const wait = () => {
    clearTimeout(timer);
    if (at === last) halt();
    else timer = setTimeout(() => keepFocus(advance), ADVANCE_MS);
  };
  const advance = () => {
    show(at + 1);
    wait();
  };
  const turn = (by: number) => {
    show(at + by);
    if (told) told.textContent = `Slide ${at + 1} of ${slides.length}`;
    if (timer !== undefined) wait();
  };
  const onPress = (button: HTMLButtonElement, act: () => void) =>
    button.addEventListener('click', () => keepFocus(act));
  onPress(stop, halt);
  onPress(previous, () => turn(-1));
  onPress(next, () => turn(1));
  show(0);
  controls.hidden = false;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) halt();
  else wait();
}
