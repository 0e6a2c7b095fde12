import type { Pool, RowDataPacket } from 'mysql2/promise';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { publicPermission } from '#core/kernel/caller/permissions.js';
import { newPlaintext, prefixOf } from '#plugins/developers/keys/insert-key.js';

interface KeyColumns extends RowDataPacket {
  environment_id: Buffer;
  kind: Buffer;
  permissions: string;
  role: Buffer;
  member_id: Buffer | null;
  created_by: string;
}

/** A key may make 600 requests per minute. Benches use each at a third of that: several run within one minute. */
const perKeyAndSecond = 3;

export const keysForRate = (perSecond: number): number => Math.ceil(perSecond / perKeyAndSecond);

/** The same for publishable keys, with which one IP address may make 120 requests per minute. */
export const publishableForRate = (perSecond: number): number => Math.ceil(perSecond);

/**
 * Inserts secret keys into the table as developers.key.create writes them: copies of `first`, in its environment.
 * @returns the keys as plain text
 */
export const mintKeys = (database: Pool, first: string, count: number): Promise<string[]> =>
  mint(database, first, count, 'secret');

/** The same for publishable keys. */
export const mintPublishable = (database: Pool, first: string, count: number): Promise<string[]> =>
  mint(database, first, count, 'publishable');

async function mint(database: Pool, first: string, count: number, kind: 'secret' | 'publishable'): Promise<string[]> {
  const [rows] = await database.query<KeyColumns[]>('SELECT * FROM developers_key WHERE digest = ?', [sha256(first)]);
  const model = rows[0];
  if (!model) throw new Error('The first key is not in the database.');
  const minted = Array.from({ length: count }, () => ({ id: idBytes(newId()), text: newPlaintext(kind, 'live') }));
  const now = new Date();
  const { sql, parameters } = insertInto(
    'developers_key',
    minted.map(({ id, text }, index) => ({
      id,
      environment_id: model.environment_id,
      name: `Bench ${index}`,
      kind: Buffer.from(kind),
      prefix: Buffer.from(prefixOf(text)),
      digest: sha256(text),
      permissions: kind === 'secret' ? model.permissions : JSON.stringify([publicPermission]),
      allowed_origins: null,
      role: model.role,
      member_id: model.member_id,
      lineage_id: id,
      created_by: model.created_by,
      created_at: now,
    })),
  );
  await database.query(sql, [...parameters]);
  return minted.map(({ text }) => text);
}
