import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { crc32 } from 'node:zlib';
import { filePath, problem, type RouteName } from '#contracts';
import { mediaTypeOf, purposeRules } from '#files';
import { bomb, film, moving, pictures, PLACE } from '#files/testing';
import {
  formOf,
  join,
  keyed,
  PDF,
  PNG,
  problemIn,
  startLode,
  upload,
  type Given,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

type Upload =
  | 'uploadEvidence'
  | 'uploadProductImage'
  | 'uploadRecommendedImage'
  | 'uploadSiteMedia'
  | 'uploadProfileImage';

const bytes = (content: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(content);

describe('files', () => {
  let lode: Lode;
  let ann: Person;
  let bob: Person;
  let samples: Awaited<ReturnType<typeof pictures>>;
  beforeAll(async () => {
    lode = await startLode();
    [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
    samples = await pictures();
  });
  afterAll(() => lode.stop());

  const put = (person: Person, route: Upload, content: Uint8Array<ArrayBuffer>): Promise<Given<Upload>> =>
    person.api.get(route, { form: formOf(content) });
  const get = (path: string, person?: Person) =>
    fetch(lode.visitor.address + path, {
      headers: person === undefined ? {} : { Authorization: `Bearer ${person.api.token ?? ''}` },
    });
  const uploaders: readonly (readonly [Upload, () => Person])[] = [
    ['uploadEvidence', () => ann],
    ['uploadProductImage', () => lode.admin],
    ['uploadRecommendedImage', () => lode.admin],
    ['uploadSiteMedia', () => lode.admin],
    ['uploadProfileImage', () => ann],
  ];

  test.each(uploaders)('an image is encoded anew, whatever it was: %s', async (route, person) => {
    for (const picture of Object.values(samples)) {
      const answer = await put(person(), route, bytes(picture));
      expect(answer.mediaType).toBe('image/webp');
    }
  });

  test('evidence comes back to its owner and to admins, and to nobody else', async () => {
    const { url, fileId } = await put(ann, 'uploadEvidence', bytes(samples.jpeg));
    expect(url).toBe(`/files/paymentEvidence/${fileId}`);
    for (const path of [url, `/api/files/${fileId}`]) {
      for (const person of [ann, lode.admin]) {
        const response = await get(path, person);
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
        expect(response.headers.get('cache-control')).toBe('private, no-store');
        const stored = Buffer.from(await response.arrayBuffer());
        expect(await mediaTypeOf(stored)).toBe('image/webp');
        for (const trace of ['Exif', 'GPS', 'Ann', PLACE]) expect(stored.includes(trace)).toBe(false);
      }
      expect(await problemOf(await get(path, bob))).toMatchObject({
        code: 'file_not_found',
        storageCode: 'object-not-found',
      });
      expect(await problemOf(await get(path))).toMatchObject({
        code: 'token_missing',
        storageCode: 'unauthenticated',
      });
    }
  });

  test('some bytes of a file can be asked for', async () => {
    const { url } = await put(ann, 'uploadEvidence', bytes(PDF));
    const all = await get(url, ann);
    expect(all.headers.get('accept-ranges')).toBe('bytes');
    const etag = all.headers.get('etag') ?? '';
    const asked = (headers: Readonly<Record<string, string>>) =>
      fetch(lode.visitor.address + url, {
        headers: { ...headers, Authorization: `Bearer ${ann.api.token ?? ''}` },
      });
    const size = PDF.length;
    for (const [range, first, last] of [
      ['bytes=0-3', 0, 3],
      ['bytes=4-', 4, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=1-${size * 2}`, 1, size - 1],
    ] as const) {
      const part = await asked({ Range: range, 'If-Range': etag });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${first}-${last}/${size}`,
      ]);
      expect(Buffer.from(await part.arrayBuffer()).equals(PDF.subarray(first, last + 1))).toBe(true);
    }
    const whole = [
      { Range: 'bytes=0-3', 'If-Range': '"other"' },
      ...['lines=1-2', 'bytes=3-1', 'bytes=0-1,3-4', 'bytes=-'].map((Range) => ({ Range })),
    ];
    for (const headers of whole) {
      const answer = await asked(headers);
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, size]);
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const refused = await asked({ Range: range });
      expect(refused.headers.get('content-range')).toBe(`bytes */${size}`);
      expect([refused.status, await problemOf(refused)]).toMatchObject([
        416,
        { code: 'range_not_satisfiable' },
      ]);
    }
  });

  test('a PDF is kept as it is and can only be downloaded', async () => {
    const { url, fileId } = await put(ann, 'uploadEvidence', bytes(PDF));
    const response = await get(url, ann);
    expect(Buffer.from(await response.arrayBuffer()).equals(PDF)).toBe(true);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${fileId}.pdf"`);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    ['uploadProductImage', filePath.product, filePath.recommended],
    ['uploadRecommendedImage', filePath.recommended, filePath.product],
  ] as const)(
    'everyone sees an image of a product, at its own address only: %s',
    async (route, path, other) => {
      const { url, fileId, bytes: size } = await put(lode.admin, route, bytes(samples.png));
      expect(url).toBe(path(fileId));
      const response = await get(url);
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, size]);
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      for (const elsewhere of [other(fileId), filePath.evidence(fileId)])
        expect((await get(elsewhere, ann)).status).toBe(404);
    },
  );

  test('the site shows a film that an admin uploaded, in parts, and a picture, each at one address', async () => {
    const whole = Buffer.concat([film, Buffer.alloc(200_000, 7)]);
    const { url, fileId, mediaType, sha256 } = await put(lode.admin, 'uploadSiteMedia', bytes(whole));
    expect([url, mediaType]).toEqual([`/image/${fileId}.mp4`, 'video/mp4']);
    const all = await get(url);
    expect(Buffer.from(await all.arrayBuffer()).equals(whole)).toBe(true);
    expect(Object.fromEntries(all.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${sha256}"`,
    });
    const asked = (range: string) => fetch(lode.visitor.address + url, { headers: { Range: range } });
    const part = await asked('bytes=4-7');
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-7/${whole.length}`,
      'ftyp',
    ]);
    const beyond = await asked(`bytes=${whole.length}-`);
    expect([beyond.status, await problemOf(beyond)]).toMatchObject([416, { code: 'range_not_satisfiable' }]);

    const picture = await put(lode.admin, 'uploadSiteMedia', bytes(samples.png));
    expect(picture.url).toBe(`/image/${picture.fileId}.webp`);
    const { status, headers } = await get(picture.url);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/webp']);

    const { fileId: product } = await put(lode.admin, 'uploadProductImage', bytes(samples.png));
    for (const nothing of [
      `/image/${fileId}.webp`,
      `/image/${fileId}`,
      `/image/${picture.fileId}.mp4`,
      `/image/${product}.webp`,
      `/image/${'x'.repeat(35)}.mp4`,
      '/image/nothing.mp4',
      '/image/..%2f..%2fevents.sqlite',
      filePath.product(picture.fileId),
    ]) {
      const answer = await problemOf(await get(nothing));
      expect([nothing, answer.code]).toEqual([nothing, 'file_not_found']);
    }
  });

  test('the gallery shows what was uploaded: a loop with its picture', async () => {
    const [{ url: source }, { url: poster }] = [
      await put(lode.admin, 'uploadSiteMedia', bytes(film)),
      await put(lode.admin, 'uploadSiteMedia', bytes(samples.png)),
    ];
    const gallery = {
      title: 'Behind the Scenes',
      items: [{ kind: 'video' as const, source, poster, alt: 'A hall' }],
    };
    await lode.admin.api.get('changeContent', { body: { content: { gallery } }, headers: keyed() });
    expect((await lode.visitor.get('content')).gallery).toEqual(gallery);
  });

  test.each(['uploadEvidence', 'uploadProductImage', 'uploadProfileImage'] as const)(
    'a film is of the site only: %s',
    async (route) => {
      const person = route === 'uploadEvidence' ? ann : lode.admin;
      const answer = await person.api.call(route, { form: formOf(bytes(film)) });
      expect(problemIn(answer)).toMatchObject({ status: 415, code: 'file_type' });
    },
  );

  test('a film of more than 10 MiB is refused', async () => {
    const answer = await lode.admin.api.call('uploadSiteMedia', {
      form: formOf(bytes(Buffer.concat([film], 10 * 1024 * 1024 + 1))),
    });
    expect(problemIn(answer)).toMatchObject({ status: 413, code: 'file_too_large' });
  });

  test('no other file can be had at the address of a product’s image', async () => {
    const [evidence, profile] = [
      await put(ann, 'uploadEvidence', bytes(samples.png)),
      await put(ann, 'uploadProfileImage', bytes(samples.png)),
    ];
    for (const { fileId } of [evidence, profile])
      for (const path of [filePath.product(fileId), filePath.recommended(fileId)])
        expect(await problemOf(await get(path))).toMatchObject({ code: 'file_not_found' });
  });

  test.each([
    '/files/products/..%2f..%2fidentity.sqlite.webp',
    '/files/products/%2e%2e%2fcatalog.sqlite',
    '/files/products/catalog.sqlite',
    `/files/products/${'A'.repeat(35)}`,
    `/files/products/${'A'.repeat(35)}.png`,
    `/files/products/${'A'.repeat(34)}%00.webp`,
    `/files/products/${'A'.repeat(35)}.webp%0a`,
    `/files/products/${'A'.repeat(35)}.webp/`,
    '/files/products/',
    '/files/paymentEvidence/..%2f..%2fevents.sqlite',
    '/files/user/..%2f..%2f/profileImage',
    '/files/user//profileImage',
    '/files/',
  ])('a name that is none of a file finds nothing: %s', async (path) => {
    const response = await get(path, lode.admin);
    expect([400, 404]).toContain(response.status);
    expect(problem.parse(await response.json()).status).toBe(response.status);
  });

  test('a person’s image is for that person and admins, and there is none until a profile names it', async () => {
    await put(ann, 'uploadProfileImage', bytes(samples.jpeg));
    const path = filePath.profileImage(ann.userId);
    for (const person of [ann, lode.admin])
      expect(await problemOf(await get(path, person))).toMatchObject({ storageCode: 'object-not-found' });
    expect(await problemOf(await get(path, bob))).toMatchObject({ storageCode: 'unauthorized' });
    expect(await problemOf(await get(path))).toMatchObject({ storageCode: 'unauthenticated' });
  });

  const refused: readonly (readonly [what: string, content: () => Buffer | Promise<Buffer>, code: string])[] =
    [
      ['a text', () => Buffer.from('I am a picture'), 'file_type'],
      ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'file_type'],
      ['nothing', () => Buffer.alloc(0), 'file_empty'],
      [
        'half of a picture',
        async () => half((await pictures({ width: 400, height: 300 })).jpeg),
        'file_type',
      ],
      ['a picture’s first bytes', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'file_type'],
      ['a picture of 4 gigapixels in a few bytes', () => bomb(64_000, 64_000, 0), 'file_too_large'],
      ['a picture of one endless row', () => bomb(50_000_001, 1, 0), 'file_too_large'],
      ['a picture whose pixels do not come', () => bomb(1_000, 1_000, 1), 'file_type'],
      ['a picture with wrong check sums', () => damaged(bomb(8, 8, 8)), 'file_type'],
      [
        'a page that begins like a GIF',
        () => Buffer.from('GIF89a=1;/*<script>alert(1)</script>*/'),
        'file_type',
      ],
      ['more than 10 MiB', () => Buffer.concat([samples.jpeg], 11_000_000), 'file_too_large'],
    ];
  describe.each(uploaders)('%s', (route, person) => {
    test.each(refused)('refuses %s', async (_, content, code) => {
      const answer = await person().api.call(route, { form: formOf(bytes(Buffer.from(await content()))) });
      expect(problemIn(answer)).toMatchObject({ code });
      if (code !== 'file_too_large') expect(problemIn(answer).detail).toBe(words[route]);
    });

    test('keeps nothing of what stands behind a picture', async () => {
      const polyglot = Buffer.concat([samples.gif, Buffer.from('<script>alert(1)</script>PK\x03\x04'), PDF]);
      const { fileId } = await put(person(), route, bytes(polyglot));
      const response = await get(`/api/files/${fileId}`, person());
      const stored = Buffer.from(await response.arrayBuffer());
      for (const trace of ['script', 'PK\x03\x04', '%PDF']) expect(stored.includes(trace)).toBe(false);
    });

    test('keeps one frame of what moves', async () => {
      const { mediaType } = await put(person(), route, bytes(await moving(3)));
      expect(mediaType).toBe('image/webp');
    });
  });
  const words: Readonly<Record<Upload, string>> = {
    uploadEvidence: 'Please enter a valid upload payment evidence.',
    uploadProductImage: 'Error uploading product',
    uploadRecommendedImage: 'Error uploading product',
    uploadSiteMedia: 'Please choose a picture or an mp4 film.',
    uploadProfileImage: 'Failed to upload image.',
  };

  test.each([
    'uploadProductImage',
    'uploadRecommendedImage',
    'uploadSiteMedia',
    'uploadProfileImage',
  ] as const)('a PDF is evidence only: %s', async (route) => {
    const answer = await lode.admin.api.call(route, { form: formOf(bytes(PDF)) });
    expect(problemIn(answer)).toMatchObject({ status: 415, code: 'file_type' });
  });

  test('whoever keeps as much as one may is told so', async () => {
    const carl = await join(lode.visitor, 'Carl');
    for (let n = 0; n < purposeRules['profile-image'].quota.files; n++)
      await put(carl, 'uploadProfileImage', PNG);
    expect(problemIn(await carl.api.call('uploadProfileImage', { form: formOf(PNG) }))).toMatchObject({
      status: 402,
      code: 'quota_exceeded',
      storageCode: 'quota-exceeded',
    });
    await upload(carl);
  });

  test('an upload that breaks off is canceled, and nothing of it is kept', async () => {
    const raw =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="../../a.pdf"\r\n\r\n%PDF-1.4 and then';
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect(problemIn(await ann.api.call('uploadEvidence', { raw, headers }))).toMatchObject({
      code: 'upload_canceled',
      storageCode: 'canceled',
    });
  });

  test('a connection that goes away in the middle harms nobody', async () => {
    const { hostname, port } = new URL(lode.visitor.address);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ann.api.token ?? ''}\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n' +
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-1.4',
    );
    await once(socket, 'connect');
    socket.destroy();
    await once(socket, 'close');
    await upload(ann);
  });

  test.each(['products', 'recommended', 'site'])('a visitor may not upload to %s', async (folder) => {
    for (const person of [ann, undefined]) {
      const response = await fetch(`${lode.visitor.address}/api/files/${folder}`, {
        method: 'POST',
        body: formOf(PNG),
        headers: person === undefined ? {} : { Authorization: `Bearer ${person.api.token ?? ''}` },
      });
      expect(await problemOf(response)).toMatchObject({
        storageCode: person === undefined ? 'unauthenticated' : 'unauthorized',
      });
    }
  });

  test('only routes of files speak of a storage', async () => {
    const routes: readonly RouteName[] = ['me', 'totals', 'projections'];
    for (const name of routes) expect(problemIn(await lode.visitor.call(name)).storageCode).toBeUndefined();
  });
});

async function problemOf(response: Response) {
  return problem.parse(await response.json());
}

/** What arrived when the connection was lost. */
function half(whole: Buffer): Buffer {
  return whole.subarray(0, Math.floor(whole.length * 0.6));
}

/** The same PNG with a byte of its image turned over and its check sum as it was. */
function damaged(png: Buffer): Buffer {
  const copy = Buffer.from(png);
  const at = copy.indexOf('IDAT') + 6;
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  expect(crc32(copy)).not.toBe(crc32(png));
  return copy;
}
