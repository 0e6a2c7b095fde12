import type { Deployment } from '#core/kernel/deployment.js';
import { dateTime, integer, list, named, object, oneOf, text, url, type ValueOf } from '#core/kernel/schema/schema.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { images, type ImageRow } from '../tables/image.js';
import { contentTypes, mediaTypes } from './input.js';

/** A picture in replies. */
export const Image = named(
  'Image',
  object(
    {
      name: text('The file name that it was first saved with.'),
      url: url('Its public address, for HTML. What is there never changes.'),
      contentType: oneOf(contentTypes, 'Its form.'),
      bytes: integer('Its size.'),
      width: integer('In pixels.'),
      height: integer('In pixels.'),
      createdAt: dateTime('When it was stored first.'),
    },
    { description: 'A stored picture.' },
  ),
);

export const exampleImage = {
  name: 'summer.jpg',
  url: 'https://svc.example.com/email/images/01890a5d-ac96-774b-bcce-b302099a8001/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.jpg',
  contentType: 'image/jpeg' as const,
  bytes: 48_213,
  width: 1_200,
  height: 800,
  createdAt: '2026-11-20T10:12:00.000Z',
};

/** Where pictures are, below the server's address. */
export const imagesPath = '/email/images';

export const imageUrl = (
  { baseUrl }: Pick<Deployment, 'baseUrl'>,
  { environmentId, sha256, type }: Pick<ImageRow, 'environmentId' | 'sha256' | 'type'>,
): string => `${baseUrl}${imagesPath}/${environmentId}/${sha256.toString('hex')}.${type}`;

/** A picture as replies show it. */
export const presentImage = (deployment: Pick<Deployment, 'baseUrl'>, row: ImageRow): ValueOf<typeof Image> => ({
  name: row.name,
  url: imageUrl(deployment, row),
  contentType: mediaTypes[row.type],
  bytes: row.bytes,
  width: row.width,
  height: row.height,
  createdAt: row.createdAt.toISOString(),
});

const mostShown = 100;

export const imageList = list(Image, `The newest ${mostShown} pictures of the environment, newest first.`);

/** The newest pictures of an environment. */
export async function newestImages(db: Pick<ReadSession, 'rows'>, environmentId: string): Promise<ImageRow[]> {
  const rows = await db.rows<object>(
    `SELECT ${images.columnList()} FROM email_image FORCE INDEX (newest) WHERE environment_id = ?
     ORDER BY created_at DESC, sha256 LIMIT ${mostShown}`,
    [idBytes(environmentId)],
  );
  return rows.map((row) => images.decode(row));
}
