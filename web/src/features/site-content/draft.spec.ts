import { describe, expect, jest, test } from '@jest/globals';
import { placeOf, readDraft, redraw, reveal, textOf } from './draft';

const page = (body: string) => readDraft(`<!doctype html><html lang="en"><body>${body}</body></html>`);

describe('a draft as it is shown', () => {
  test('leads nowhere, takes nothing, and stands as it does once scripts ran', () => {
    const draft = page(
      '<a class="link" href="/risk">Risks</a><button>Menu</button><fieldset disabled><input></fieldset>' +
        '<div class="slides" hidden><button hidden>Previous</button></div><noscript><p>No script</p></noscript>',
    );
    expect(draft.body.innerHTML).toBe(
      '<a class="link">Risks</a><button inert="">Menu</button><fieldset inert=""><input></fieldset>' +
        '<div class="slides"><button hidden="" inert="">Previous</button></div>',
    );
  });

  test('is text again for a frame', () => {
    expect(textOf(page('<p>A &lt;b&gt;</p>'))).toBe(
      '<!doctype html><html lang="en"><head></head><body><p>A &lt;b&gt;</p></body></html>',
    );
  });
});

describe('another state of a page', () => {
  const shown = () => page('<h1>One</h1><ul><li>A</li><li>B</li></ul><p>Rest</p>');

  test('changes what differs and nothing else, and says where it begins', () => {
    const before = shown();
    const [title, list, rest] = before.body.children;
    const changed = redraw(before, page('<h1>Two</h1><ul><li>A</li><li>C</li></ul><p>Rest</p>'));
    expect(before.body.innerHTML).toBe('<h1>Two</h1><ul><li>A</li><li>C</li></ul><p>Rest</p>');
    expect(changed).toBe(before.body.children[0]);
    expect(changed).not.toBe(title);
    expect([before.body.children[1], before.body.children[2]]).toEqual([list, rest]);
  });

  test.each([
    ['has more in a list', '<h1>One</h1><ul><li>A</li><li>B</li><li>C</li></ul><p>Rest</p>', 'UL'],
    ['has another attribute', '<h1>One</h1><ul class="x"><li>A</li><li>B</li></ul><p>Rest</p>', 'UL'],
    ['has text where an element was', '<h1>One</h1><ul><li>A</li><li>B</li></ul>Rest', 'BODY'],
  ])('that %s replaces that', (_, body, name) => {
    const before = shown();
    expect(redraw(before, page(body))?.tagName).toBe(name);
    expect(before.body.innerHTML).toBe(body);
  });

  test('that is the same changes nothing', () => {
    const before = shown();
    const { body } = before;
    expect(redraw(before, shown())).toBeUndefined();
    expect(before.body).toBe(body);
  });
});

describe('what is written', () => {
  const draft = page('<h1>Mining</h1><p><b>Risks.</b> You can lose.</p><footer><a>Risks</a></footer>');

  test('is where a page begins the first text that it has', () => {
    expect(placeOf(draft, ['Nowhere', 'Risks', 'Mining'])?.tagName).toBe('B');
    expect(placeOf(draft, ['Nowhere'])).toBeUndefined();
  });

  test.each([
    ['above the window', -40, true],
    ['in the window', 40, false],
    ['below the window', 5_000, true],
  ])('is brought into view when it is %s', (_, top, isScrolled) => {
    const scroll = jest.spyOn(globalThis, 'scrollBy').mockImplementation(() => undefined);
    jest.spyOn(document.body, 'getBoundingClientRect').mockReturnValue(DOMRect.fromRect({ y: top }));
    reveal(document.body);
    expect(scroll.mock.calls).toEqual(isScrolled ? [[{ top: top - innerHeight / 4 }]] : []);
  });
});
