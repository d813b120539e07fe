import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  contentInForce,
  contentPages,
  defaultContent,
  pagesOfSection,
  sitePageAt,
  sitePaths,
  type Content,
  type ContentSection,
  type ProductView,
} from '#contracts';
import {
  renderPage,
  renderProduct,
  renderProducts,
  renderStatus,
  type SiteView,
  type WrittenPage,
} from './index.js';

const built = { script: '/assets/site.js', imports: [], styles: ['/assets/site.css'], fonts: [] };
const view: SiteView = {
  content: { ...defaultContent, fees: { title: 'Fees', text: 'There are none.' } },
  contact: { phoneNumber: '+44 (0)20 1234', email: 'desk@lode.example', contactAddress: '1 High Street' },
  hasProducts: false,
  passwordMin: 11,
  linkWay: 'mail',
  toAccept: { terms: 'abc', privacy: '' },
  publicUrl: 'https://lode.example',
  assets: { site: built, widget: built },
};
const pages: readonly Exclude<WrittenPage, 'widget'>[] = ['site', 'about', 'contact', 'risk', 'fees'];
const rendered = (page: WrittenPage, content: Content = view.content) =>
  renderPage(page, { ...view, content }) ?? '';
const main = (page: string) => /<main[^]*<\/main>/.exec(page)?.[0] ?? '';

test('the landing page has its sections in their order and words', () => {
  const headings = [...main(rendered('site')).matchAll(/<h[12][^>]*>([^<]*)</g)].map(
    ([, heading]) => heading,
  );
  expect(headings).toEqual([
    'Invest in Bitcoin Mining',
    'What is Bitcoin Mining?',
    'Start Mining Bitcoin with Ease',
    'Get Started in 3 Easy Steps',
    'Choose Your Mining Plan',
    'How Bitcoin Mining Works',
    'Why is Mining Important?',
    'We Do the Heavy Lifting',
    'Join the Digital Gold Rush',
    'Behind the Scenes',
  ]);
  const points = [...main(rendered('site')).matchAll(/<h3>([^<]*)</g)].map(([, heading]) => heading);
  expect(points.slice(0, 7)).toEqual([
    'Sign Up',
    'Choose a Plan',
    'Start Earning',
    ...['Basic', 'Silver', 'Gold', 'Diamond'],
  ]);
  expect(points).toHaveLength(7 + 4 + 3 + 4);
});

test('whoever chooses a password is told how many characters it has at least', () => {
  for (const page of ['register', 'registerAdmin', 'resetPassword'] as const)
    expect(rendered(page)).toContain('At least 11 characters.');
});

test('whoever registers is told what they accept by it, once there is such a text', () => {
  const terms = { title: 'Terms', text: 'Be fair.' };
  expect(rendered('register')).not.toContain('you accept');
  expect(rendered('register', { ...view.content, terms })).toMatch(
    /By registering you accept: <a class="link" href="\/terms">Terms<\/a>\./,
  );
  // What is shown goes with the form.
  for (const page of ['register', 'registerAdmin'] as const)
    expect(rendered(page)).toMatch(
      /<div data-accepting>\s*<input type="hidden" name="terms" value="abc" \/>\s*<input type="hidden" name="privacy" value="" \/>/,
    );
});

test('the gallery shows pieces that say what they are, and films only when they are played', () => {
  const page = main(rendered('site'));
  expect([...page.matchAll(/<(?:img|video)/g)]).toHaveLength(4);
  expect([...page.matchAll(/<figcaption>Illustration: /g)]).toHaveLength(4);
  expect([
    ...page.matchAll(/<video[^>]*poster="\/image\/\w+\.webp"[^>]*muted[^>]*preload="none"/g),
  ]).toHaveLength(2);
  const [film = ''] = /<video[^>]*>/.exec(
    rendered('site', {
      ...view.content,
      gallery: {
        title: 'Films',
        items: [{ kind: 'video', source: '/image/a.mp4', poster: '//example.org/a.webp', alt: 'A hall' }],
      },
    }),
  ) ?? [''];
  expect(film).toContain('src="/image/a.mp4"');
  expect(film).not.toContain('poster');
  const none = { ...view.content, gallery: { title: 'Behind the Scenes', items: [] } };
  expect(rendered('site', none)).not.toContain('Behind the Scenes');
});

test('its links lead where they should', () => {
  const page = rendered('site');
  for (const link of [
    '<a class="button primary large" href="/login">Start Here</a>',
    '<a class="button" href="/register">Get Started</a>',
    '<a class="link" href="#steps">',
    '<a class="button" href="/Contact-us">Start Mining Today</a>',
    '<a class="link" href="/Contact-us">Contact Us for More Info</a>',
  ])
    expect(page).toContain(link);
  expect(page).toContain('id="steps"');
  for (const range of ['$300 – $1000', '$1000 – $5000', '$5000 – $10000', '$10000+'])
    expect(page).toContain(range);
});

test('the page about the operator has the sections of the other home page', () => {
  const page = main(rendered('about'));
  expect([...page.matchAll(/<h[12][^>]*>([^<]*)</g)].map(([, heading]) => heading)).toEqual([
    'Who We Are',
    'What We Offer',
    'Why Choose Us',
    'Get Started in 3 Easy Steps',
    'Choose Your Mining Plan',
  ]);
  expect([...page.matchAll(/<h3>/g)]).toHaveLength(5 + 4 + 3 + 4);
  expect([...page.matchAll(/data-counter/g)]).toHaveLength(3);
});

test('the contact page says how the operator is reached, and the footer what the operator links to', () => {
  for (const where of ['1 High Street', 'desk@lode.example', '+44 (0)20 1234'])
    expect(main(rendered('contact'))).toContain(where);
  const social = {
    linkedin: 'https://social.example/in',
    twitter: 'https://social.example/tw',
    instagram: 'https://social.example/ig',
    facebook: 'https://social.example/fb',
  };
  const links = { services: 'https://lode.example/services', portfolio: 'https://lode.example/portfolio' };
  const page = rendered('site', { ...view.content, social, links });
  const foot = page.slice(page.indexOf('<footer'));
  for (const link of [...Object.values(social), ...Object.values(links)])
    expect(foot).toContain(`href="${link}"`);
  expect(foot).toContain(defaultContent.footer.tagline);
  expect(rendered('site')).not.toContain('Socials');
});

test('every page that invites somebody has the risk disclosure', () => {
  for (const page of ['site', 'about', 'contact', 'risk', 'register'] as const)
    expect(main(rendered(page))).toContain(defaultContent.riskDisclosure.text);
});

test('every page says what it is and where', () => {
  for (const page of pages) {
    const html = rendered(page);
    expect(html).toMatch(/<title>Lode · [^<]+<\/title>/);
    expect(html).toMatch(/<meta name="description" content="[^"]+" \/>/);
    expect(html).toContain(`<link rel="canonical" href="https://lode.example${sitePaths[page]}" />`);
    expect(html).toContain(`<meta property="og:url" content="https://lode.example${sitePaths[page]}" />`);
    expect([...html.matchAll(/<h1/g)]).toHaveLength(1);
  }
});

test('every page has a picture for previews elsewhere, which is a file of this size, once others can reach it', () => {
  const file = readFileSync(new URL('../../../web/public/image/preview.png', import.meta.url));
  for (const page of pages) {
    const html = rendered(page);
    const said = (name: string) =>
      new RegExp(`<meta property="og:image${name}" content="([^"]+)" />`).exec(html)?.[1];
    expect(said('')).toBe('https://lode.example/image/preview.png');
    // The size stands in the first chunk of the file.
    const size = [file.readUInt32BE(16), file.readUInt32BE(20)];
    expect([said(':width'), said(':height')].map(Number)).toEqual(size);
  }
  expect(file.length).toBeLessThan(60_000);
  for (const publicUrl of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(renderPage('site', { ...view, publicUrl })).not.toContain('og:image');
});

describe('what an operator writes', () => {
  const HOSTILE = `"><img src=x onerror=alert(1)>'\`</script></title><svg/onload=alert(1)>&`;
  /** Every text of the content, however deep. */
  const spoiled = (value: unknown): unknown => {
    if (typeof value === 'string') return HOSTILE;
    if (Array.isArray(value)) return value.map(spoiled);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoiled(inner)]));
  };

  test.each(pages)('is text on %s wherever it stands', (page) => {
    const social = { linkedin: HOSTILE, twitter: HOSTILE, instagram: HOSTILE, facebook: HOSTILE };
    const full = {
      ...view.content,
      social,
      links: { services: HOSTILE, portfolio: HOSTILE },
      gallery: { title: 'x', items: [{ kind: 'image' as const, source: 'x', alt: 'x' }] },
      team: { title: 'x', items: [{ name: 'x', role: 'x', image: 'x', text: 'x' }] },
      testimonials: { title: 'x', items: [{ name: 'x', text: 'x' }] },
    };
    const content = spoiled(full) as Content;
    const contact = { phoneNumber: HOSTILE, email: HOSTILE, contactAddress: HOSTILE };
    const html = renderPage(page, { ...view, content, contact }) ?? '';
    expect(html).toContain('&quot;&gt;&lt;img');
    expect(html).not.toMatch(/<img src=x|<svg\/onload|alert\(1\)>/);
    expect([...html.matchAll(/<script/g)]).toHaveLength(1);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'http://example.org',
    '//example.org',
    '/\\example.org',
    'https:/\\example.org',
    'vbscript:x',
    ' javascript:alert(1)',
    '\tjavascript:alert(1)',
    'mailto:',
  ])('links nowhere and loads nothing where it is %j', (address) => {
    const content: Content = {
      ...view.content,
      social: { linkedin: address, twitter: address, instagram: address, facebook: address },
      links: { services: address, portfolio: address },
      hero: { ...defaultContent.hero, images: [address] },
      gallery: { title: 'Behind the Scenes', items: [{ kind: 'video', source: address, alt: 'x' }] },
      team: { title: 'Team', items: [{ name: 'Ann', role: 'x', image: address, text: 'x' }] },
    };
    for (const page of ['site', 'about'] as const) {
      const html = rendered(page, content);
      expect(html).not.toContain(address);
      expect(html).not.toMatch(/<(?:img|video)/);
      expect(html).not.toContain('Socials');
    }
  });

  test('links to https, mail and its own pages; a picture is loaded from here alone', () => {
    const html = rendered('site', {
      ...view.content,
      social: { linkedin: 'https://example.org/in', twitter: null, instagram: null, facebook: null },
      links: { services: '/fees', portfolio: 'mailto:desk@lode.example' },
      gallery: {
        title: 'Behind the Scenes',
        items: [
          { kind: 'image', source: 'https://example.org/a.png', alt: 'The hall' },
          { kind: 'image', source: '/files/a', alt: 'The roof' },
        ],
      },
    });
    for (const link of [
      '<a href="https://example.org/in">LinkedIn</a>',
      '<a href="/fees">Services</a>',
      '<a href="mailto:desk@lode.example">Portfolio</a>',
      '<a class="link" href="https://example.org/a.png">The hall</a>',
      '<img src="/files/a"',
    ])
      expect(html).toContain(link);
    expect(html).not.toMatch(/src="https/);
  });

  test('has paragraphs where it has empty lines, and nothing of it is code', () => {
    const text = 'One.\n\nTwo,\nand more <b>.';
    expect(rendered('fees', { ...view.content, fees: { title: 'Fees', text } })).toContain(
      '<p>One.</p><p>Two,<br />and more &lt;b&gt;.</p>',
    );
  });
});

describe('a product', () => {
  const product: ProductView = {
    id: 'p',
    amount: '249.99',
    ownerName: 'Ann & Co',
    productName: 'Rig <1>/2',
    description: 'Quiet.',
    title: 'A rig',
    subtitle: 'Small',
    imageUrl: '/files/a',
    ownerImage: 'https://elsewhere.example/x.png',
    recommendedImages: ['/files/b', 'javascript:alert(1)'],
    images: { image: 'a', ownerImage: 'x', recommendedImages: ['b'] },
    isActive: true,
    isOutOfStock: true,
    createdAt: '2030-01-01T00:00:00.000Z',
    position: '1',
  };
  const at = '/products/Rig%20%3C1%3E%2F2';

  test('has a page of its own name with the risk disclosure, and pictures of this origin', () => {
    const page = renderProduct(view, product);
    for (const part of [
      `https://lode.example${at}"`,
      '249.99 USD',
      'Out of stock',
      'Rig &lt;1&gt;/2',
      'Ann &amp; Co',
    ])
      expect(page).toContain(part);
    expect(page).toContain(defaultContent.riskDisclosure.text);
    expect([...page.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, source]) => source)).toEqual([
      '/files/a',
      '/files/b',
    ]);
  });

  test('is linked from the list, and the list from every page while there is one', () => {
    expect(renderProducts(view, [product], { isAll: true })).toContain(`href="${at}"`);
    expect(renderProducts(view, [], { isAll: true })).toBeUndefined();
    expect(rendered('site')).not.toContain('href="/products"');
    expect(renderPage('site', { ...view, hasProducts: true })).toContain('href="/products"');
  });

  test.each(['.', '..'])(
    'is linked where its name is %j, which browsers take for a step upwards',
    (productName) => {
      const [, address = ''] =
        /<h2><a class="link" href="([^"]*)"/.exec(
          renderProducts(view, [{ ...product, productName }], { isAll: true }) ?? '',
        ) ?? [];
      const path = new URL(address, view.publicUrl).pathname;
      expect(sitePageAt(path)).toEqual({ page: 'product', name: `${productName} ` });
    },
  );

  test('of many is in a list that says so where it has the newest alone', () => {
    const said = 'These are the newest 1. There are more.';
    expect(renderProducts(view, [product], { isAll: false })).toContain(said);
    expect(renderProducts(view, [product], { isAll: true })).not.toContain(said);
  });
});

test('the status is said in words, and is not to be found', () => {
  expect(renderStatus(view, 'ok')).toContain('Everything works.');
  expect(renderStatus(view, 'unavailable')).toContain('not available now');
  expect(renderStatus(view, 'ok')).toContain('<meta name="robots" content="noindex" />');
});

test('no page as it is sent has anything in the place of a figure', () => {
  for (const page of ['site', 'about', 'contact', 'widget'] as const) {
    const places = [...rendered(page).matchAll(/data-(?:counter|price)="\w+">([^]*?)</g)];
    expect(places.length).toBeGreaterThan(0);
    for (const [, text] of places) expect(text).toBe('');
    for (const [list] of rendered(page).matchAll(/<(?:section|dl)[^>]*data-figures[^>]*>/g))
      expect(list).toContain('hidden');
  }
});

test('the widget says nothing of prices before its script knows of them', () => {
  expect(rendered('widget')).toMatch(/<p data-none hidden>/);
});

test('what a page is given to show the widget has its title as text', () => {
  const title = `5" onload="alert(1)`;
  const page = rendered('widget', { ...view.content, widget: { ...view.content.widget, title } });
  const [, given = ''] = /<textarea[^>]*>([^]*?)<\/textarea>/.exec(page) ?? [];
  const snippet = given
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  expect(snippet).toBe(
    '<iframe src="https://lode.example/widget" title="5&quot; onload=&quot;alert(1)" width="320" height="200"></iframe>',
  );
});

test('content that was written before a section was there still makes every page', () => {
  const before = contentInForce({ hero: { ...defaultContent.hero, title: 'Mine' } });
  for (const page of ['site', 'about', 'contact', 'risk'] as const)
    expect(rendered(page, before)).not.toBe('');
});

test('the page of a forgotten password asks for a link only where one gets to somebody', () => {
  const page = (linkWay: SiteView['linkWay']) =>
    main(renderPage('forgotPassword', { ...view, linkWay }) ?? '');
  expect(page('mail')).toContain('is sent to your e-mail address');
  expect(page('console')).toContain('is shown on the console');
  for (const way of ['mail', 'console'] as const) expect(page(way)).toContain('<form');
  expect(page('none')).toContain('No mails are sent from here');
  expect(page('none')).not.toContain('<form');
});

describe('a draft', () => {
  const draft = (page: WrittenPage, content: Content = view.content) =>
    renderPage(page, { ...view, content, isDraft: true }) ?? '';

  test.each(contentPages)(
    'of the page %s is what visitors get, without what runs or loads scripts',
    (page) => {
      const content = {
        ...view.content,
        terms: { title: 'Terms', text: 'Be fair.' },
        privacy: { title: 'P', text: 'Q' },
      };
      const withoutHead = (text: string) => text.slice(text.indexOf('<body>'));
      const written = draft(page, content);
      expect(withoutHead(written)).toBe(withoutHead(rendered(page, content)));
      expect(withoutHead(written)).toContain('</body>');
      expect(written).not.toMatch(/<script|modulepreload/);
      expect(written).toContain('<link rel="stylesheet" href="/assets/site.css" />');
    },
  );

  test('may load what is of this site alone, and visitors’ pages say nothing of that', () => {
    const [, policy = ''] =
      /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(draft('site')) ?? [];
    expect(policy.replaceAll('&#39;', "'").split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self'",
      "media-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(rendered('site')).not.toMatch(/http-equiv|data-script/);
  });
});

/** The same with every text another one; links and paths stay what they may be. */
function otherwise(value: unknown): unknown {
  if (typeof value === 'string') return /^(?:https:|\/)/.test(value) ? `${value}x` : `${value} anew`;
  if (Array.isArray(value)) return value.map(otherwise);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, name === 'kind' ? held : otherwise(held)]),
  );
}

describe('each section is on the pages that are said to have it, and on no other', () => {
  const social = { linkedin: 'https://social.example/in', twitter: null, instagram: null, facebook: null };
  const text = { title: 'Said', text: 'It is said here.' };
  const content: Content = {
    ...defaultContent,
    team: { title: 'Team', items: [{ name: 'Ann', role: 'Engineer', image: null, text: '' }] },
    testimonials: { title: 'Said', items: [{ name: 'Bo', text: 'Good.' }] },
    social,
    links: { services: 'https://lode.example/services', portfolio: null },
    fees: text,
    terms: text,
    privacy: text,
  };

  test.each(Object.keys(content) as ContentSection[])('%s', (section) => {
    const changed = { ...content, [section]: otherwise(content[section]) };
    const found = contentPages.filter((page) => rendered(page, changed) !== rendered(page, content));
    expect([...pagesOfSection[section]].toSorted()).toEqual([...found].toSorted());
  });
});
