import { at, isRecord, listAt, textAt } from '#core/runtime/json.js';
import { forEach, isRefusal, type Call } from './calls.js';
import type { MovedUser, Place, UserRow } from './found.js';
import type { MoveReport } from './report.js';

/** Rows of one call of auth.user.import, which takes 1,000 and 4 MiB. */
const maxRows = 500;
const maxBytes = 2 * 1024 * 1024;

interface Placed {
  readonly place: Place;
  readonly user: MovedUser;
}

interface UserWriter {
  add(place: Place, user: MovedUser): Promise<void>;
  /** Writes what is left. */
  end(): Promise<void>;
}

/** Writes users in batches. Bans and private metadata need a call for each user who has them. */
export function createUserWriter(call: Call, report: MoveReport): UserWriter {
  let batch: Placed[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const users = batch;
    [batch, bytes] = [[], 0];
    if (users.length > 0) await writeBatch(users, call, report);
  };
  return {
    async add(place, user) {
      batch.push({ place, user });
      bytes += JSON.stringify(user).length;
      if (batch.length >= maxRows || bytes >= maxBytes) await flush();
    },
    end: flush,
  };
}

interface Row {
  readonly place: Place;
  readonly row: UserRow;
}

async function writeBatch(users: readonly Placed[], call: Call, report: MoveReport): Promise<void> {
  const rejected = await importRows(
    users.map(({ place, user }) => ({ place, row: user.row })),
    call,
    report,
  );
  const moved = users.filter(({ user }) => !rejected.has(user.row));
  // Rows of one call must be different users, so each further address is in another call.
  const deepest = Math.max(0, ...moved.map(({ user }) => user.further.length));
  for (let depth = 0; depth < deepest; depth++) {
    const rows = moved.flatMap(({ place, user }) => {
      const row = user.further[depth];
      return row ? [{ place, row }] : [];
    });
    await importRows(rows, call, report);
  }
  const needsCalls = moved.filter(({ user }) => user.banned !== undefined || user.privateMetadata !== undefined);
  await forEach(needsCalls, async ({ place, user }) => {
    try {
      await writeRest(user, call, report);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const reason = `${error.code}: ${error.message}`;
      await report.note({ place, who: user.row.externalId, reason, failed: true });
    }
  });
}

/** If a row is rejected because of one of these, the user is moved without them. */
const optional = ['passwordHash', 'totpSecret'] as const;

/** @returns the rows that were rejected */
async function importRows(rows: readonly Row[], call: Call, report: MoveReport): Promise<ReadonlySet<UserRow>> {
  if (rows.length === 0) return new Set();
  const answer = await call('auth.user.import', { users: rows.map(({ row }) => row) });
  report.wrote('users created', Number(at(answer, 'created') ?? 0));
  const rejected = new Set<UserRow>();
  const again: (Row & { readonly of: UserRow })[] = [];
  for (const rejection of listAt(answer, 'rejected')) {
    const found = rows[Number(at(rejection, 'index'))];
    if (!found) continue;
    const { place, row } = found;
    const reason = `${textAt(rejection, 'code') ?? ''}: ${textAt(rejection, 'message') ?? ''}`;
    await report.note({ place, who: row.externalId, reason, failed: true });
    const field = optional.find((name) => reason.includes(name) && row[name] !== undefined);
    if (field === undefined) rejected.add(row);
    else {
      const { [field]: _removed, ...rest } = row;
      again.push({ place, row: rest, of: row });
    }
  }
  const rejectedAgain = await importRows(again, call, report);
  for (const { row, of } of again) if (rejectedAgain.has(row)) rejected.add(of);
  return rejected;
}

async function writeRest({ row, privateMetadata, banned }: MovedUser, call: Call, report: MoveReport): Promise<void> {
  const { externalId } = row;
  const { user } = await call('auth.user.get', { externalId });
  const userId = textAt(user, 'id') ?? '';
  if (banned !== undefined && at(user, 'bannedAt') === null) {
    await call('auth.user.ban', { userId, reason: banned });
    report.wrote('users banned');
  }
  const known = at(user, 'privateMetadata');
  // What was written here since an earlier run stays.
  const missing = Object.entries(privateMetadata ?? {}).filter(
    ([key]) => !isRecord(known) || !Object.hasOwn(known, key),
  );
  if (missing.length === 0) return;
  await call('auth.user.update', { userId, privateMetadata: Object.fromEntries(missing) });
  report.wrote('private metadata of users');
}
