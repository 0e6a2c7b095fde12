import type { Session } from '#core/runtime/database/session.js';
import type { Vault } from '#core/runtime/secrets/vault.js';

/**
 * Holds the secret key against the one that this database was first started with, under the start lock. With another key sealed values do
 * not open, and what is found by keyed digests is not found: every suppression would be void in silence, and mail would go out.
 * @throws Error naming SVC_SECRET_KEY and the mend
 */
export async function checkRootKey(db: Session, vault: Vault): Promise<void> {
  const digest = vault.digest('svc', { table: 'svc_root_key', column: 'digest' });
  const [known] = await db.rows<{ digest: Buffer }>('SELECT digest FROM svc_root_key WHERE id = 1');
  if (!known) await db.run('INSERT INTO svc_root_key (id, digest) VALUES (1, ?)', [digest]);
  else if (!known.digest.equals(digest))
    throw new Error(
      'SVC_SECRET_KEY is not the key that this database was started with: secrets in it would not open, and suppressions would not be ' +
        'found.\n  Set SVC_SECRET_KEY to the key of the first start (in the state folder, or in your backup), or name another database.',
    );
}
