import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A file of a package, by its path in the package's folder. */
export interface PackedFile {
  readonly path: string;
  readonly content: Buffer;
}

/** A zip file has local times: this one is the same in every time zone. */
const zipTime = new Date(1985, 9, 26, 8, 15);

/**
 * A zip file with these files in this order. The same files have the same bytes wherever the same Node.js packs them.
 * @param folder the beginning of their paths in the zip file
 */
export async function zipFile(files: readonly PackedFile[], folder = ''): Promise<Buffer> {
  const archive = new ZipFile();
  for (const { path, content } of files)
    archive.addBuffer(content, `${folder}${path}`, {
      mtime: zipTime,
      mode: 0o100644,
      compressionLevel: 9,
      forceDosTimestamp: true,
    });
  archive.end();
  return buffer(archive.outputStream);
}
