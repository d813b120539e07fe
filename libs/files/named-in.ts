import type { StoredFact } from '#kernel';
import type { FileFacts } from './port.js';
import { isFileId } from './rules.js';

/** The events that name a file: a request's evidence, a person's picture, those of a product, and the site's texts. */
export const FILE_NAMING_EVENTS: readonly string[] = [
  'FundingRequested',
  'ProfileImageChanged',
  'ProductCreated',
  'ProductChanged',
  'ContentChanged',
];

/** A picture or film in a text of the site, by its address. */
const MEDIA_ADDRESS = /\/(?:files\/products|files\/recommended|image)\/([A-Za-z0-9]{35})(?![A-Za-z0-9])/g;

/** The ids of the files that an event names, as it is stored, each with what the file must be when the event says so. */
export function filesNamedIn({
  type,
  data,
}: Pick<StoredFact, 'type' | 'data'>): ReadonlyMap<string, FileFacts | undefined> {
  const found = new Map<string, FileFacts | undefined>();
  const add = (fileId: unknown, mustBe?: FileFacts) => {
    if (typeof fileId === 'string' && isFileId(fileId)) found.set(fileId, mustBe);
  };
  if (type === 'ContentChanged') {
    for (const [, fileId] of JSON.stringify(data).matchAll(MEDIA_ADDRESS)) add(fileId);
    return found;
  }
  const { evidence, image, ownerImage, recommendedImages } = data;
  for (const file of [evidence, image]) if (isStored(file)) add(file.fileId, file);
  for (const fileId of [image, ownerImage]) add(fileId);
  if (Array.isArray(recommendedImages)) for (const fileId of recommendedImages) add(fileId);
  return found;
}

function isStored(value: unknown): value is FileFacts & { readonly fileId: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'fileId' in value &&
    'bytes' in value &&
    typeof value.bytes === 'number' &&
    'sha256' in value &&
    typeof value.sha256 === 'string'
  );
}
