import { describe, expect, test } from '@jest/globals';
import { content, contentBody, contentInForce, defaultContent, knownSections } from '#contracts';
import { CONTENT_BYTES_MAX } from '#ledger';

const hero = { title: 'Hello', bullets: [], button: 'Go', images: ['/image/one.webp'] };

describe('the content of the public site', () => {
  test('has defaults that an operator could have written, with room for as much again', () => {
    expect(content.parse(defaultContent)).toEqual(defaultContent);
    expect(JSON.stringify(defaultContent).length).toBeLessThan(CONTENT_BYTES_MAX / 2);
  });

  test('claims by default nobody and nothing that only an operator can know', () => {
    const { company, gallery, social, team, testimonials, widget } = defaultContent;
    expect([team.items, testimonials.items]).toEqual([[], []]);
    // What the gallery shows is drawn, and says so.
    for (const { source, alt } of gallery.items)
      expect(`${source} ${alt}`).toMatch(/^\/image\/\S+ Illustration: /);
    expect([company.since, widget.ltcPrice, ...Object.values(social)]).toEqual(Array(6).fill(null));
  });

  test('has the plans of the specification', () => {
    expect(defaultContent.plans.items.map(({ name, minimum, maximum }) => [name, minimum, maximum])).toEqual([
      ['Basic', '300', '1000'],
      ['Silver', '1000', '5000'],
      ['Gold', '5000', '10000'],
      ['Diamond', '10000', null],
    ]);
  });

  test('is what was stored, and the default for the rest', () => {
    expect(contentInForce({ hero })).toEqual({ ...defaultContent, hero });
  });

  test('has the mails that were stored, and by default those that the program learned to write since', () => {
    const { accountClosed, ...mails } = defaultContent.mails;
    const emailTaken = { subject: 'Ours', text: 'Our own words.' };
    expect(contentInForce({ mails: { ...mails, emailTaken } }).mails).toEqual({
      ...mails,
      emailTaken,
      accountClosed,
    });
  });

  test('leaves out what is stored and no longer has the right shape', () => {
    const stored = { hero, team: { title: 7 }, gone: {}, constructor: hero };
    expect(knownSections(stored)).toEqual({ hero });
  });

  test('is changed by whole sections; null and left out are told from each other', () => {
    expect(contentBody.parse({ content: { hero, team: null } }).content).toEqual({ hero, team: null });
    expect(contentBody.safeParse({ content: { hero: { title: 'Hello' } } }).success).toBe(false);
    expect(contentBody.safeParse({ content: { unknown: null } }).success).toBe(false);
  });

  test.each([
    'javascript:alert(1)',
    'http://example.org',
    'https://example.org/a.png',
    '//example.org/a.png',
    'data:text/html,x',
    '/a"onerror="x',
    '/a b',
    '',
  ])('takes no picture from %j', (source) => {
    const piece = { kind: 'video', source: '/image/a.mp4', alt: 'A hall' };
    const member = { name: 'Ann', role: 'Engineer', image: source, text: '' };
    for (const section of [
      { hero: { ...hero, images: [source] } },
      { gallery: { title: 'Gallery', items: [{ ...piece, source }] } },
      { gallery: { title: 'Gallery', items: [{ ...piece, poster: source }] } },
      { team: { title: 'Team', items: [member] } },
    ])
      expect(contentBody.safeParse({ content: section }).success).toBe(false);
  });

  test('keeps an https address of before, which the pages show as a link', () => {
    const stored = {
      gallery: {
        title: 'Gallery',
        items: [{ kind: 'image', source: 'https://example.org/a.png', alt: 'A' }],
      },
    };
    expect(knownSections(stored)).toEqual(stored);
  });

  test('takes https addresses only for social links', () => {
    const social = { linkedin: 'https://example.org/a', twitter: null, instagram: null, facebook: null };
    expect(contentBody.safeParse({ content: { social } }).success).toBe(true);
    for (const link of ['/path', 'javascript:alert(1)', 'http://example.org', '']) {
      const wrong = { content: { social: { ...social, facebook: link } } };
      expect(contentBody.safeParse(wrong).success).toBe(false);
    }
  });
});
