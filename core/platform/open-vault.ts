import { randomBytes } from 'node:crypto';
import type { Session } from '#core/runtime/database/session.js';
import { createVault, ROOT_KEY_BYTES, SealedValueError, type Vault } from '#core/runtime/secrets/vault.js';
import { StartError } from './start-error.js';

export interface SecretKeys {
  /** SVC_SECRET_KEY */
  current: Buffer;
  /** SVC_SECRET_KEY_PREVIOUS, while the key is being changed */
  previous: Buffer | undefined;
}

export interface OpenedVault {
  vault: Vault;
  /** What became of SVC_SECRET_KEY_PREVIOUS, for the start's output; absent where it is not set. */
  said?: string;
}

interface KeyRow {
  digest: Buffer;
  /** null in databases of before this column */
  sealedKey: Buffer | null;
}

const cell = { table: 'svc_root_key', column: 'sealed_key', row: '1' };
const digestOf = (vault: Vault): Buffer => vault.digest('svc', { table: 'svc_root_key', column: 'digest' });

/**
 * Opens the vault of this database, under the start lock. Its root key is random and stored sealed with SVC_SECRET_KEY, so that a change of
 * SVC_SECRET_KEY seals this one value again (docs/decisions/0020-secrets-at-rest.md). With a wrong key, encrypted values could not be
 * read, and suppressions, which are found by keyed digests, would silently have no effect: mail would go out.
 * @throws StartError that names SVC_SECRET_KEY and how to fix it, where neither key is the database's
 */
export async function openVault(db: Session, { current, previous }: SecretKeys): Promise<OpenedVault> {
  const [row] = await db.rows<KeyRow>('SELECT digest, sealed_key AS sealedKey FROM svc_root_key WHERE id = 1');
  if (!row) {
    const rootKey = randomBytes(ROOT_KEY_BYTES);
    const vault = createVault(rootKey);
    const sealed = createVault(current).seal(rootKey, cell);
    await db.run('INSERT INTO svc_root_key (id, digest, sealed_key) VALUES (1, ?, ?)', [digestOf(vault), sealed]);
    return { vault, ...(previous && { said: notNeeded }) };
  }
  const ofCurrent = rootKeyOf(row, current);
  const rootKey = ofCurrent ?? (previous && rootKeyOf(row, previous));
  if (!rootKey) throw new StartError(wrongKey);
  if (!ofCurrent || !row.sealedKey)
    await db.run('UPDATE svc_root_key SET sealed_key = ? WHERE id = 1', [createVault(current).seal(rootKey, cell)]);
  const said = previous && (ofCurrent ? notNeeded : changed);
  return { vault: createVault(rootKey), ...(said && { said }) };
}

/** @returns the database's root key, undefined where `secretKey` is not the one that opens it */
function rootKeyOf({ digest, sealedKey }: KeyRow, secretKey: Buffer): Buffer | undefined {
  const found = sealedKey ? unsealed(sealedKey, secretKey) : secretKey;
  return found && digestOf(createVault(found)).equals(digest) ? found : undefined;
}

function unsealed(sealedKey: Buffer, secretKey: Buffer): Buffer | undefined {
  try {
    return createVault(secretKey).open(sealedKey, cell);
  } catch (error) {
    // The caller tries SVC_SECRET_KEY_PREVIOUS, or refuses the start.
    if (error instanceof SealedValueError) return undefined;
    throw error;
  }
}

const changed =
  'SVC_SECRET_KEY was changed. Start all nodes with the new key, then remove SVC_SECRET_KEY_PREVIOUS from their settings.';
const notNeeded =
  'SVC_SECRET_KEY_PREVIOUS is not needed any more: remove it once all nodes have the new SVC_SECRET_KEY.';
const wrongKey =
  'SVC_SECRET_KEY is not the key of this database: encrypted values could not be read, and suppressions would have no effect.\n' +
  '  Set SVC_SECRET_KEY to the key that the database was last started with (from the state folder, your backup or the other nodes), or use ' +
  'another database. To change the key, set SVC_SECRET_KEY_PREVIOUS to the old one.';
