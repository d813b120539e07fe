import { complaintAboutFile, type FileCatalogue, type FileFacts, type FileStore } from '#files';
import { complaintAbout, openFolderFiles } from '#files/folder';
import { opening, type Closing } from './closing.js';
import type { EngineSettings, Tell } from './engines.js';
import { placesIn } from './places.js';
import { atServer, mongoAt } from './servers.js';

/** The uploaded files, to be read through. */
export type OpenUploads = {
  /** What is wrong with one, in words that follow its id; undefined when it is what it must be. */
  readonly complaintAbout: (fileId: string, mustBe?: FileFacts) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
};

/** Opens them beside whoever has them. */
export async function openUploads(settings: EngineSettings): Promise<OpenUploads> {
  if (settings.s3Url === undefined) {
    const folder = placesIn(settings.dataFolder).files;
    return {
      complaintAbout: (fileId, mustBe) => complaintAbout({ folder }, fileId, mustBe),
      close: async () => undefined,
    };
  }
  return opening(async (closing) => {
    const store = await openFiles(settings, closing, () => undefined);
    return {
      complaintAbout: (fileId, mustBe) => complaintAboutFile(() => store.open(fileId), mustBe),
      close: closing.run,
    };
  });
}

/** Opens the store of uploaded files, and whatever it stands on; all of it is closed with `closing`. */
export async function openFiles(settings: EngineSettings, closing: Closing, tell: Tell): Promise<FileStore> {
  const { s3Url, dataFolder } = settings;
  const { files: folder, unfinished } = placesIn(dataFolder);
  const store =
    s3Url === undefined
      ? await openFolderFiles({
          folder,
          // Whoever opens it has the data folder.
          isAlone: true,
          onRemade: () => tell('The catalog of uploaded files was damaged: it is made anew from the folder.'),
        })
      : await openInBucket(s3Url, unfinished, await openCatalogue(settings, closing));
  closing.add(() => store.close());
  return store;
}

async function openInBucket(url: string, spool: string, catalogue: FileCatalogue): Promise<FileStore> {
  const { openS3FileStore } = await import('#files/s3');
  return atServer('S3_URL', url, () => openS3FileStore({ url, catalogue, spool }));
}

/** Whose the files in a bucket are stands with the credentials: it is lost or kept with them. */
async function openCatalogue(
  { mongodbUrl, dataFolder }: EngineSettings,
  closing: Closing,
): Promise<FileCatalogue> {
  const catalogue =
    mongodbUrl === undefined
      ? await (
          await import('#files/sqlite')
        ).openSqliteFileCatalogue({ file: placesIn(dataFolder).catalogue })
      : await (await import('#files/mongodb')).openMongoFileCatalogue(mongoAt(mongodbUrl));
  closing.add(() => catalogue.close());
  return catalogue;
}
