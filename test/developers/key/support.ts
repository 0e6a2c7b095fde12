import type { Role } from '#core/kernel/caller/caller.js';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

export const secretForm = /^svc_(live|test)_(?!pk)[A-Za-z0-9]{43}$/;
export const publishableForm = /^svc_(live|test)_pk[A-Za-z0-9]{40}$/;

interface Made {
  id: string;
  plaintext: string;
}

/** Creates a secret key in the account's live environment, with another role where one is given. */
export async function makeKey(
  platform: TestPlatform,
  { svc }: Pick<TestAccount, 'svc'>,
  permissions: string[],
  role?: Role,
): Promise<Made> {
  const { key, plaintext } = await svc.call('developers.key.create', {
    name: `Key ${permissions.join()}`.slice(0, 120),
    permissions,
  });
  if (role) await setRole(platform, key.id, role);
  return { id: key.id, plaintext };
}

/** Creates a secret key that holds everything that the account's first key holds. */
export async function makeTwin(platform: TestPlatform, account: Pick<TestAccount, 'svc'>): Promise<Made> {
  return makeKey(platform, account, permissionsOf(platform.running.services.deployment.products));
}

export async function setRole(platform: TestPlatform, keyId: string, role: Role): Promise<void> {
  await platform.running.services.database.run('UPDATE developers_key SET role = ? WHERE id = ?', [
    Buffer.from(role),
    idBytes(keyId),
  ]);
}

/** The id of the account's first key. */
export async function firstKey({ svc }: Pick<TestAccount, 'svc'>): Promise<string> {
  return (await svc.call('developers.key.current', {})).key?.id ?? '';
}

export interface Record {
  operation: string;
  subjectId: string;
  actor: string;
  changes: string;
  environmentId: string;
}

/** The audit record of a call. */
export async function auditOf(platform: TestPlatform, activityId: string): Promise<Record> {
  const [row] = await platform.running.services.database.rows<{
    operation: Buffer;
    subject_id: Buffer;
    actor_label: string;
    changes: string;
    environment_id: Buffer;
  }>('SELECT operation, subject_id, actor_label, changes, environment_id FROM svc_activity WHERE id = ?', [
    idBytes(activityId),
  ]);
  if (!row) throw new Error('The call wrote no audit record.');
  return {
    operation: row.operation.toString(),
    subjectId: row.subject_id.toString(),
    actor: row.actor_label,
    changes: row.changes,
    environmentId: idText(row.environment_id),
  };
}
