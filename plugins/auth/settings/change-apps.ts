import type { Environment } from '#core/kernel/caller/caller.js';
import { withheld } from '#core/kernel/audit/changes.js';
import type { Change, Context } from '#core/kernel/context.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { newId } from '#core/runtime/id.js';
import { randomBytes } from '#core/runtime/random-bytes.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { appSecrets } from '../tables/app-secret.js';
import { openidApps } from '../tables/openid-app.js';
import type { AppPatches, Apps } from './apps.js';

/** How long the old secret works after a rotation. */
const overlapMs = dayMs;

/**
 * Stores what belongs to changed apps beside the settings. Makes the secrets of new confidential apps and those whose
 * rotation is asked for. Deletes the secrets of apps that were removed or became public. A new app gets an id, and a
 * removed one loses it, so its tokens never become valid again. Call it with the settings locked.
 * @param apps all apps before and after the change
 * @returns the new secrets by app, and the changes for the audit record
 */
export async function changeApps(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id: environmentId }: Environment,
  { before, after: apps }: { before: Apps; after: Apps },
  patch: AppPatches = {},
): Promise<{ secrets: Record<string, string>; changes: Change[] }> {
  const now = clock.now();
  for (const appId of Object.keys(before))
    if (!Object.hasOwn(apps, appId)) await db.remove(openidApps, { environmentId, appId });
  for (const appId of Object.keys(apps))
    if (!Object.hasOwn(before, appId)) await db.insert(openidApps, { environmentId, appId, id: newId() });
  const stored = await db.find(appSecrets, { environmentId });
  const secrets: Record<string, string> = {};
  const confidential = new Set(Object.keys(apps).filter((id) => apps[id]?.kind === 'confidential'));
  for (const { id, appId } of stored) if (!confidential.has(appId)) await db.remove(appSecrets, { id });
  const rotated = new Set(Object.keys(patch).filter((id) => patch[id]?.rotateSecret === true));
  for (const appId of confidential) {
    const current = stored.filter((each) => each.appId === appId);
    if (current.length > 0 && !rotated.has(appId)) continue;
    for (const { id, expiresAt } of current)
      if (expiresAt === null) await db.update(appSecrets, { id }, { expiresAt: shift(now, overlapMs) });
      // At most two secrets work at once.
      else await db.remove(appSecrets, { id });
    const secret = `svc_as_${randomBytes(32).toString('base64url')}`;
    secrets[appId] = secret;
    await db.insert(appSecrets, {
      id: newId(),
      environmentId,
      appId,
      secretDigest: sha256(secret),
      createdAt: now,
      expiresAt: null,
    });
  }
  const changes = Object.keys(secrets).map((id) => ({ field: `apps.${id}.secret`, from: null, to: withheld }));
  return { secrets, changes };
}
