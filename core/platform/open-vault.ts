import { randomBytes } from 'node:crypto';
import { missingTables } from '#core/runtime/database/missing-tables.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { createVault, ROOT_KEY_BYTES, SealedValueError, type Vault } from '#core/runtime/secrets/vault.js';
import { StartError } from './start-error.js';

interface SecretKeys {
  /** SVC_SECRET_KEY */
  current: Buffer;
  /** SVC_SECRET_KEY_PREVIOUS, while the key is being changed */
  previous: Buffer | undefined;
}

export interface OpenedVault {
  vault: Vault;
  /** The effect of SVC_SECRET_KEY_PREVIOUS, for the start's output; absent if it is not set. */
  said?: string;
}

interface KeyRow {
  digest: Buffer;
  /** null in databases from before the key could be changed; undefined before that version's migration */
  sealed_key?: Buffer | null;
}

const cell = { table: 'svc_root_key', column: 'sealed_key', row: '1' };
const digestOf = (vault: Vault): Buffer => vault.digest('svc', { table: 'svc_root_key', column: 'digest' });

/**
 * Whether secrets of this database are encrypted, so that only its own key may open it. Reads only, and before the
 * migrations too.
 * @throws StartError if there are accounts and the row with the key is missing
 */
export async function hasRootKey(db: ReadSession): Promise<boolean> {
  return (await findKeyRow(db)) !== undefined;
}

/**
 * Checks the key before anything is migrated, and writes nothing: a start with a wrong key must not upgrade the
 * database.
 * @throws StartError like `openVault`
 */
export async function requireRootKey(db: ReadSession, keys: SecretKeys): Promise<void> {
  const row = await findKeyRow(db);
  if (row) openRootKey(row, keys);
}

async function findKeyRow(db: ReadSession): Promise<KeyRow | undefined> {
  const missing = await missingTables(db, ['svc_root_key', 'svc_environment']);
  // All columns, because a database that is not yet migrated may lack the newest.
  const [row] = missing.includes('svc_root_key')
    ? []
    : await db.rows<KeyRow>('SELECT * FROM svc_root_key WHERE id = 1');
  if (row || missing.includes('svc_environment')) return row;
  const [environment] = await db.rows<{ id: Buffer }>('SELECT id FROM svc_environment LIMIT 1');
  if (environment) throw new StartError(lostRow);
  return undefined;
}

/** @throws StartError if neither key is the database's */
function openRootKey(row: KeyRow, { current, previous }: SecretKeys): { rootKey: Buffer; isCurrent: boolean } {
  const ofCurrent = rootKeyOf(row, current);
  const rootKey = ofCurrent ?? (previous && rootKeyOf(row, previous));
  if (!rootKey) throw new StartError(wrongKey);
  return { rootKey, isCurrent: ofCurrent !== undefined };
}

/**
 * Opens the vault of this database, under the start lock. Its root key is random and stored sealed with SVC_SECRET_KEY,
 * so that after a change of SVC_SECRET_KEY only this value must be sealed again
 * (docs/decisions/0020-secrets-at-rest.md). With a wrong key, encrypted values could not be read, and suppressions,
 * which are found by keyed digests, would silently have no effect: mail would go out.
 * @throws StartError that names SVC_SECRET_KEY and how to fix it, if neither key is the database's, or its row is
 *   missing
 */
export async function openVault(db: Session, keys: SecretKeys): Promise<OpenedVault> {
  const { current, previous } = keys;
  const row = await findKeyRow(db);
  if (!row) {
    const rootKey = randomBytes(ROOT_KEY_BYTES);
    const vault = createVault(rootKey);
    const sealed = createVault(current).seal(rootKey, cell);
    await db.run('INSERT INTO svc_root_key (id, digest, sealed_key) VALUES (1, ?, ?)', [digestOf(vault), sealed]);
    return { vault, ...(previous && { said: notNeeded }) };
  }
  const { rootKey, isCurrent } = openRootKey(row, keys);
  if (!isCurrent || !row.sealed_key)
    await db.run('UPDATE svc_root_key SET sealed_key = ? WHERE id = 1', [createVault(current).seal(rootKey, cell)]);
  const said = previous && (isCurrent ? notNeeded : changed);
  return { vault: createVault(rootKey), ...(said && { said }) };
}

/** @returns the database's root key, undefined if `secretKey` does not open it */
function rootKeyOf({ digest, sealed_key }: KeyRow, secretKey: Buffer): Buffer | undefined {
  const found = sealed_key ? unsealed(sealed_key, secretKey) : secretKey;
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
const lostRow =
  'The database has accounts, and its table svc_root_key is empty: encrypted values could not be read with any key, and suppressions would have no effect.\n' +
  '  Restore the row of svc_root_key from the newest backup: it is the same in every backup since SVC_SECRET_KEY was last changed. Otherwise restore ' +
  'the whole backup (docs/operating.md, Backups).';
