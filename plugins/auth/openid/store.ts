import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { WorkerServices } from '#core/kernel/services.js';
import { idBytes } from '#core/runtime/id.js';
import { isId } from '#core/runtime/id-form.js';
import { parseJson } from '#core/runtime/json.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { Cell } from '#core/runtime/secrets/vault.js';
import { openidRecords } from '../tables/openid-record.js';

/** Codes and tokens are their own ids, so only digests of them are stored. */
const digestOf = (model: string, id: string): Buffer => sha256(`${model}:${id}`);

/** The user that a record belongs to, so that erasing the user finds it. */
function userOf({ accountId, session }: AdapterPayload): string | null {
  const id = accountId ?? session?.accountId;
  return id !== undefined && isId(id) ? id : null;
}

/** A payload as the library stored it. */
function payloadIn(json: string): AdapterPayload;
function payloadIn(json: string): unknown {
  return parseJson(json);
}

/**
 * Stores what oidc-provider keeps for one environment.
 * @param model the name of the library's model, such as `RefreshToken`
 */
export function openidStore(services: WorkerServices, environmentId: string, model: string): Adapter {
  const { database, vault, clock } = services;
  const environment = idBytes(environmentId);
  const cellOf = (digest: Buffer): Cell => ({
    table: 'auth_openid_record',
    column: 'payload',
    row: `${environmentId} ${digest.toString('hex')}`,
  });
  const write = <T>(work: Parameters<typeof services.transaction<T>>[1]): Promise<T> =>
    services.transaction('OpenID provider', work);
  const read = async (column: 'idDigest' | 'uidDigest', digest: Buffer): Promise<AdapterPayload | undefined> => {
    const row = await database.findOne(openidRecords, { environmentId, [column]: digest });
    if (!row) return undefined;
    const payload = payloadIn(vault.open(row.payload, cellOf(row.idDigest)).toString('utf8'));
    return row.consumedAt === null ? payload : { ...payload, consumed: Math.floor(row.consumedAt.getTime() / 1000) };
  };
  return {
    async upsert(id, payload, expiresIn) {
      const idDigest = digestOf(model, id);
      const seconds = payload.exp ?? Math.floor(Date.now() / 1000) + (expiresIn ?? 0);
      const userId = userOf(payload);
      const grantId = model === 'Grant' ? id : payload.grantId;
      const row = {
        payload: vault.seal(JSON.stringify(payload), cellOf(idDigest)),
        grant: grantId === undefined ? null : sha256(grantId),
        uid: payload.uid === undefined ? null : digestOf(model, payload.uid),
        user: userId === null ? null : idBytes(userId),
        expiresAt: new Date(seconds * 1000),
      };
      await write(({ db }) =>
        db.run(
          `INSERT INTO auth_openid_record (environment_id, id_digest, grant_digest, uid_digest, user_id, payload, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)
           ON DUPLICATE KEY UPDATE grant_digest = VALUES(grant_digest), uid_digest = VALUES(uid_digest),
             user_id = VALUES(user_id), payload = VALUES(payload), expires_at = VALUES(expires_at)`,
          [environment, idDigest, row.grant, row.uid, row.user, row.payload, row.expiresAt],
        ),
      );
    },
    find: (id) => read('idDigest', digestOf(model, id)),
    findByUid: (uid) => read('uidDigest', digestOf(model, uid)),
    // For the device flow, which is off.
    findByUserCode: () => Promise.resolve(undefined),
    // Of two requests with the same code or refresh token, one gets tokens.
    async consume(id) {
      const { affectedRows } = await write(({ db }) =>
        db.run(
          'UPDATE auth_openid_record SET consumed_at = ? WHERE environment_id = ? AND id_digest = ? AND consumed_at IS NULL',
          [clock.now(), environment, digestOf(model, id)],
        ),
      );
      if (affectedRows === 0) throw new errors.InvalidGrant('it was already used');
    },
    async destroy(id) {
      await write(({ db }) =>
        db.run('DELETE FROM auth_openid_record WHERE environment_id = ? AND id_digest = ?', [
          environment,
          digestOf(model, id),
        ]),
      );
    },
    async revokeByGrantId(grantId) {
      await write(({ db }) =>
        db.run('DELETE FROM auth_openid_record WHERE environment_id = ? AND grant_digest = ?', [
          environment,
          sha256(grantId),
        ]),
      );
    },
  };
}
