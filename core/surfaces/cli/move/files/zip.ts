import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { open, type Entry as ZippedFile, type ZipFile } from 'yauzl';
import { CliError } from '../../errors.js';
import type { Entry } from './entry.js';

/*
 * Nothing is unpacked to the disk: files are read as streams, and their names are only shown. A file that unpacks to
 * far more than tables of text do is refused before it is read, and one that unpacks to more than it states is refused
 * while it is read (yauzl, validateEntrySize).
 */

const maxFiles = 10_000;
/** Tables of text shrink to a third or a twentieth; deflate's limit is 1032. */
const maxRatio = 200;
/** Below this size the ratio does not matter. */
const freeBytes = 64 * 1024 * 1024;

const refusal = (path: string, problem: string): CliError =>
  new CliError(`${path} ${problem}.`, 'Download the export again, or unpack it and pass the files in it.');

/** The files in a ZIP archive, in its order. @throws CliError */
export async function zipEntries(path: string): Promise<Entry[]> {
  const zip = await opened(path);
  const files = await filesOf(zip, path);
  return files.map((file) => ({
    name: `${path}/${file.fileName}`,
    base: basename(file.fileName),
    open: () => stream(zip, file, path),
  }));
}

const opened = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) =>
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(refusal(path, `is not a ZIP archive that can be read: ${error.message}`)) : resolve(zip),
    ),
  );

const filesOf = (zip: ZipFile, path: string): Promise<ZippedFile[]> =>
  new Promise((resolve, reject) => {
    const files: ZippedFile[] = [];
    const refuse = (problem: string): void => reject(refusal(path, problem));
    zip.on('error', (error: Error) => refuse(`is not a ZIP archive that can be read: ${error.message}`));
    zip.on('end', () => resolve(files));
    zip.on('entry', (file: ZippedFile) => {
      const isFolder = file.fileName.endsWith('/');
      const { compressedSize, uncompressedSize } = file;
      if (files.length === maxFiles) {
        refuse(`contains more than ${maxFiles} files`);
        return;
      }
      if (uncompressedSize > freeBytes && uncompressedSize > maxRatio * compressedSize) {
        refuse(`contains ${file.fileName}, whose ${compressedSize} bytes unpack to ${uncompressedSize}`);
        return;
      }
      // macOS adds its own files to archives.
      if (!isFolder && !file.fileName.startsWith('__MACOSX/')) files.push(file);
      zip.readEntry();
    });
    zip.readEntry();
  });

const stream = (zip: ZipFile, file: ZippedFile, path: string): Promise<Readable> =>
  new Promise((resolve, reject) =>
    zip.openReadStream(file, (error, readable) =>
      error
        ? reject(refusal(path, `contains ${file.fileName}, which cannot be read: ${error.message}`))
        : resolve(readable),
    ),
  );
