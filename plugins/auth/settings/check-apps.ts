import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { maxApps, mergeApps, type AppPatches, type Apps } from './apps.js';
import { redirectProblem } from './redirects.js';

/** A `client_id`: it appears in addresses and in the configuration of other software. */
const appId = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Checks what a schema cannot express about changed apps.
 * @param before the apps before the change
 * @throws invalid_input
 */
export function checkApps(before: Apps, patch: AppPatches = {}): void {
  for (const [id, app] of Object.entries(patch)) {
    if (app === null) continue;
    const field = `apps.${id}`;
    if (!appId.test(id))
      throw invalidField(
        field,
        'must begin with a lower-case letter or digit and consist of a-z, 0-9, ".", "_" and "-", at most 64',
      );
    if (!Object.hasOwn(before, id)) {
      if (app.name === undefined) throw invalidField(`${field}.name`, 'is required for a new app');
      if (app.redirectUrls === undefined) throw invalidField(`${field}.redirectUrls`, 'is required for a new app');
    }
    for (const list of ['redirectUrls', 'logoutUrls'] as const)
      app[list]?.forEach((each, index) => {
        const problem = each.startsWith('android:') ? 'must be a URL' : redirectProblem(each);
        if (problem !== null) throw invalidField(`${field}.${list}.${index}`, problem);
      });
  }
  const count = Object.keys(mergeApps(before, patch)).length;
  if (count > maxApps) throw invalidField('apps', `would contain ${count} apps, but at most ${maxApps} are allowed`);
}

/** Checks that the organizations of changed apps exist. @throws invalid_input */
export async function checkAppOrganizations(
  db: Pick<ReadSession, 'rows'>,
  environmentId: string,
  patch: AppPatches = {},
): Promise<void> {
  const named = new Set(Object.values(patch).flatMap((app) => app?.organizations ?? []));
  if (named.size === 0) return;
  const rows = await db.rows<{ id: Buffer }>(
    'SELECT id FROM auth_organization WHERE id IN (?) AND environment_id = ?',
    [[...named].map(idBytes), idBytes(environmentId)],
  );
  const known = new Set(rows.map(({ id }) => idText(id)));
  for (const [id, app] of Object.entries(patch))
    app?.organizations?.forEach((each, index) => {
      if (!known.has(each))
        throw invalidField(`apps.${id}.organizations.${index}`, 'must be the id of an organization of the environment');
    });
}
