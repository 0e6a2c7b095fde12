import type { Authenticator, FoundKey } from '#core/kernel/caller/authenticator.js';
import { roleFrom } from '#core/kernel/caller/caller.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import { dashboardKeyFinder } from './dashboard-key.js';
import type { Services } from '#core/kernel/services.js';
import { jsonTexts } from '#core/runtime/database/json.js';
import type { SharedRead } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';

interface Row extends EnvironmentColumns {
  id: Buffer;
  name: string;
  kind: Buffer;
  permissions: unknown;
  allowed_origins: unknown;
  role: Buffer;
  member_id: Buffer | null;
  lineage_id: Buffer;
  revoked_at: Date | null;
}

const keyFrom = (row: Row): FoundKey => ({
  id: idText(row.id),
  name: row.name,
  lineage: idText(row.lineage_id),
  memberId: row.member_id && idText(row.member_id),
  role: roleFrom(row.role),
  permissions: jsonTexts(row.permissions),
  publishable: row.kind.toString() === 'publishable',
  allowedOrigins: row.allowed_origins === null ? null : jsonTexts(row.allowed_origins),
  revoked: row.revoked_at !== null,
  updateOperation: 'developers.key.update',
  createOperation: 'developers.key.create',
  environment: environmentFrom(row),
});

const columns = `k.id, k.name, k.kind, k.permissions, k.allowed_origins, k.role, k.member_id, k.lineage_id, k.revoked_at, ${environmentColumns}`;

/** The key of a digest; null if there is none. */
const keyByDigest: SharedRead<Buffer, FoundKey | null, Row> = {
  parts: { digest: 'BINARY(32)' },
  sql: (asked) => `SELECT asked.place, ${columns} FROM ${asked}
    STRAIGHT_JOIN developers_key k ON k.digest = asked.digest JOIN svc_environment e ON e.id = k.environment_id`,
  parametersOf: (digest) => [digest],
  foundIn: (row) => (row ? keyFrom(row) : null),
};

/**
 * How often last uses are written, in one statement for all keys used since the last write, instead of a write per
 * request.
 */
const flushMs = 5_000;

/**
 * The kernel's `findKey`: one indexed read for the key, its environment and the account's state. Requests that arrive
 * while reads are in progress share the next one (readShared). Nothing is cached, so a revoked key stops working with
 * the next request on every node.
 */
export function keyLookup(services: Services): Authenticator {
  const { database, clock, log } = services;
  const findDashboardKey = dashboardKeyFinder(services);
  let used = new Set<string>();
  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const ids = [...used].map(idBytes);
    used = new Set();
    await database
      .run('UPDATE developers_key SET last_used_at = ? WHERE id IN (?)', [clock.now(), ids])
      .catch((error: unknown) => {
        log.warn({ err: error }, 'failed to record the last use of keys; the next use records it');
      });
  };
  const timer = setInterval(() => void flush(), flushMs).unref();

  return {
    async findKey(digest) {
      const found = await database.readShared(keyByDigest, digest);
      if (!found) return findDashboardKey(digest);
      if (!found.revoked) used.add(found.id);
      return found;
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
