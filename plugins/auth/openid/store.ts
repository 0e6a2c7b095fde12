import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { integer, object, optional, text } from '#core/kernel/schema/schema.js';
import { replyProblem } from '#core/kernel/schema/validation/validate.js';
import type { WorkerServices } from '#core/kernel/services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { isId } from '#core/runtime/id-form.js';
import { parseJson } from '#core/runtime/json.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { Cell } from '#core/runtime/secrets/vault.js';
import { openidRecords } from '../tables/openid-record.js';
import { recordGrant, savedGrant } from './record-grant.js';
import { grantIdOf, sessionIdOf, type AppIds } from './session.js';

/** Codes and tokens are their own ids, so only digests of them are stored. */
const digestOf = (model: string, id: string): Buffer => sha256(`${model}:${id}`);

const idOrNull = (id: string | undefined): Buffer | null => (id === undefined ? null : idBytes(id));

/** The user that a record belongs to, so that erasing the user finds it. */
function userOf({ accountId, session }: AdapterPayload): string | null {
  const id = accountId ?? session?.accountId;
  return id !== undefined && isId(id) ? id : null;
}

/** What svc reads of a payload. The library checks the rest when it makes a model of it. */
const payloadSchema = object(
  {
    accountId: optional(text()),
    clientId: optional(text()),
    grantId: optional(text()),
    uid: optional(text()),
    exp: optional(integer()),
    session: optional(object({ accountId: optional(text()) }, { unknownIgnored: true })),
  },
  { unknownIgnored: true },
);
const isPayload = (value: unknown): value is AdapterPayload => replyProblem(payloadSchema, value) === undefined;

/** @throws if it is not a payload that the library has stored */
function payloadIn(json: string): AdapterPayload {
  const value = parseJson(json);
  if (!isPayload(value)) throw new Error('A record of the OpenID provider has an unknown form.');
  return value;
}

/** Whom and what a grant belongs to; null for other models. */
const grantFacts = (model: string, id: string, { clientId }: AdapterPayload) =>
  model === 'Grant' && clientId !== undefined ? { appId: clientId, sessionId: sessionIdOf(id) } : null;

/**
 * Stores what oidc-provider keeps for one environment.
 * @param model the name of the library's model, such as `RefreshToken`
 * @param ids those of the apps: grants of an app that was removed are not found, also if it was added again
 */
export function openidStore(services: WorkerServices, environmentId: string, model: string, ids: AppIds): Adapter {
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
      const facts = grantFacts(model, id, payload);
      const grant = facts ? savedGrant() : undefined;
      const grantId = model === 'Grant' ? id : payload.grantId;
      const row = {
        payload: vault.seal(JSON.stringify(payload), cellOf(idDigest)),
        grant: grantId === undefined ? null : sha256(grantId),
        uid: payload.uid === undefined ? null : digestOf(model, payload.uid),
        user: idOrNull(userId ?? undefined),
        expiresAt: new Date(seconds * 1000),
        appId: facts ? Buffer.from(facts.appId) : null,
        appUid: idOrNull(facts ? ids.get(facts.appId) : undefined),
        sessionId: facts ? idBytes(facts.sessionId) : null,
        createdAt: facts ? clock.now() : null,
      };
      await services.transaction(grant?.visitor ?? 'OpenID provider', async (context) => {
        const { affectedRows } = await context.db.run(
          `INSERT INTO auth_openid_record
             (environment_id, id_digest, grant_digest, uid_digest, user_id, payload, expires_at, app_id, app_uid,
              session_id, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON DUPLICATE KEY UPDATE grant_digest = VALUES(grant_digest), uid_digest = VALUES(uid_digest),
             user_id = VALUES(user_id), payload = VALUES(payload), expires_at = VALUES(expires_at)`,
          [
            ...[environment, idDigest, row.grant, row.uid, row.user, row.payload, row.expiresAt],
            ...[row.appId, row.appUid, row.sessionId, row.createdAt],
          ],
        );
        // An update counts as two rows, also of a row that was inserted a moment ago.
        if (grant && (affectedRows === 1 || !grant.isNew)) await recordGrant(context, grant);
      });
      crashPoint('openid.stored');
    },
    async find(id) {
      const payload = await read('idDigest', digestOf(model, id));
      const facts = payload && grantFacts(model, id, payload);
      return facts && id !== grantIdOf(facts.sessionId, facts.appId, ids) ? undefined : payload;
    },
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
      crashPoint('openid.consumed');
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
