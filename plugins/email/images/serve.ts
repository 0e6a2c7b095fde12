import { refusalOf } from '#core/kernel/errors/common.js';
import { formats } from '#core/kernel/schema/formats.js';
import type { Resource } from '#core/kernel/resource.js';
import { idBytes } from '#core/runtime/id.js';
import { imageParts, images, imageTypes } from '../tables/image.js';
import { mediaTypes } from './input.js';
import { imagesPath } from './resources.js';

/**
 * Bytes of pictures that the process holds for readers at a time. Anyone may read slowly, and from many addresses.
 */
const mostHeldBytes = 96 * 1024 * 1024;
let held = 0;

const yearSeconds = 31_536_000;
const fileForm = new RegExp(`^([0-9a-f]{64})\\.(${imageTypes.join('|')})$`);

/**
 * A picture, for mail programs, browsers and their proxies. Its address contains its SHA-256, so it never changes and
 * cannot be guessed.
 */
export const imageResource: Resource = {
  path: `${imagesPath}/{environmentId}/{file}`,
  async answer({ params }, { database }) {
    const [environmentId, file] = [params['environmentId'] ?? '', params['file'] ?? ''];
    const [, digest = '', type] = fileForm.exec(file) ?? [];
    const where = { environmentId: environmentId.toLowerCase(), sha256: Buffer.from(digest, 'hex') };
    const row = digest !== '' && formats['uuid']?.(environmentId) ? await database.findOne(images, where) : null;
    if (row?.type !== type || !row) throw refusalOf.not_found({ thing: 'picture', lookup: 'email.template.get' });
    const { bytes } = row;
    if (held + bytes > mostHeldBytes)
      throw refusalOf.rate_limited({ limit: 'many pictures are being read at once', seconds: 2 });
    held += bytes;
    const release = (): void => {
      held -= bytes;
    };
    try {
      const parts = await database.rows<object>(
        `SELECT ${imageParts.columnList()} FROM email_image_part WHERE environment_id = ? AND sha256 = ? ORDER BY part`,
        [idBytes(row.environmentId), row.sha256],
      );
      const body = Buffer.concat(parts.map((part) => imageParts.decode(part).data));
      return { body, type: mediaTypes[row.type], cacheSeconds: yearSeconds, isImmutable: true, release };
    } catch (error) {
      release();
      throw error;
    }
  },
};
