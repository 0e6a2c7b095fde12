import type { Session } from '#core/runtime/database/session.js';
import type { Vault } from '#core/runtime/secrets/vault.js';

/**
 * Compares the secret key with the one that this database was first started with, under the start lock. With another key, encrypted values
 * could not be read, and suppressions, which are found by keyed digests, would silently have no effect: mail would go out.
 * @throws Error that names SVC_SECRET_KEY and how to fix it
 */
export async function checkRootKey(db: Session, vault: Vault): Promise<void> {
  const digest = vault.digest('svc', { table: 'svc_root_key', column: 'digest' });
  const [known] = await db.rows<{ digest: Buffer }>('SELECT digest FROM svc_root_key WHERE id = 1');
  if (!known) await db.run('INSERT INTO svc_root_key (id, digest) VALUES (1, ?)', [digest]);
  else if (!known.digest.equals(digest))
    throw new Error(
      'SVC_SECRET_KEY is not the key that this database was first started with: encrypted values could not be read, and suppressions ' +
        'would have no effect.\n  Set SVC_SECRET_KEY to the original key (from the state folder or your backup), or use another database.',
    );
}
