import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { settings } from '../deployment/settings.js';
import { imageParts, images, type ImageRow } from '../tables/image.js';
import type { GivenImage } from './input.js';

/** Pictures of an environment, at most: reads count them. */
const mostImages = 10_000;
const partBytes = 1024 * 1024;
const mebibyte = 1024 * 1024;

/**
 * Stores pictures, each once by its SHA-256.
 * @returns a row for each, in the given order
 * @throws limit_reached
 */
export async function storeImages(
  { db, clock, deployment }: Pick<Context, 'db' | 'clock' | 'deployment'>,
  { id: environmentId }: Pick<Environment, 'id'>,
  given: readonly GivenImage[],
): Promise<ImageRow[]> {
  if (given.length === 0) return [];
  // Counted under the lock, so that concurrent calls do not exceed the limit together.
  await lockEnvironment(db, environmentId);
  const room = await roomOf(db, environmentId, deployment.settingsOf(settings).imageMebibytes);
  const stored: ImageRow[] = [];
  for (const { content, ...facts } of given) {
    const digest = sha256(content);
    const known = await db.findOne(images, { environmentId, sha256: digest });
    if (known) {
      stored.push(known);
      continue;
    }
    room.take(content.length);
    const row: ImageRow = { ...facts, environmentId, sha256: digest, bytes: content.length, createdAt: clock.now() };
    await db.insert(images, row);
    for (let part = 0; part * partBytes < content.length; part += 1) {
      const data = content.subarray(part * partBytes, (part + 1) * partBytes);
      await db.run(imageParts.insertRows([{ environmentId, sha256: digest, part, data }]));
    }
    stored.push(row);
  }
  return stored;
}

/** What an environment may still store. `take` throws limit_reached. */
async function roomOf(db: Session, environmentId: string, mostMebibytes: number) {
  const [row] = await db.rows<{ count: number; bytes: string | number | null }>(
    'SELECT COUNT(*) AS count, SUM(bytes) AS bytes FROM email_image WHERE environment_id = ?',
    [idBytes(environmentId)],
  );
  let [count, bytes] = [row?.count ?? 0, Number(row?.bytes ?? 0)];
  const nextStep = 'Save smaller pictures, or ask the operator to raise SVC_IMAGE_MEBIBYTES.';
  return {
    take(more: number): void {
      count += 1;
      bytes += more;
      if (count > mostImages)
        throw refusalOf.limit_reached({ limit: mostImages, things: 'pictures in this environment', nextStep });
      if (bytes > mostMebibytes * mebibyte)
        throw refusalOf.limit_reached({
          limit: mostMebibytes,
          things: 'MiB of pictures in this environment',
          nextStep,
        });
    },
  };
}
