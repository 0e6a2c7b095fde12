import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { addMonths, lastClosablePeriod, nextPeriod, startOf } from '#plugins/billing/periods/months.js';

/** A prices file with one price for a segment. @returns its path, and a function that removes it */
export async function segmentPrice(unitPrice: string): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-prices-'));
  const path = join(folder, 'prices.json');
  const tiers = [{ upTo: null, unitPrice }];
  await writeFile(
    path,
    JSON.stringify({ currency: 'USD', prices: [{ meter: 'sms.segment', from: '2020-01', tiers }] }),
  );
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

const dayIn = (period: string): number => Math.floor(startOf(period).getTime() / 86_400_000) + 9;

/**
 * Creates the last `backlog` months that can be closed, for the first account, as if they had ended while nothing ran.
 * Each has `segments` segments, half of them not rolled up yet, and a fee of 1.50.
 * @returns the account
 */
export async function neglectMonths(db: ConnectedDatabase, backlog: number, segments: number): Promise<Buffer> {
  const [own] = await db.rows<{ id: Buffer; account_id: Buffer; project_id: Buffer }>(
    "SELECT id, account_id, project_id FROM svc_environment WHERE kind = 'live' ORDER BY id LIMIT 1",
  );
  if (!own) throw new Error('There is no environment.');
  const present = nextPeriod(lastClosablePeriod(new Date()));
  const since = startOf(addMonths(present, -backlog));
  await db.run(
    `INSERT INTO billing_account (account_id, standing, created_at, updated_at) VALUES (?, 'good', ?, ?)
     ON DUPLICATE KEY UPDATE created_at = VALUES(created_at)`,
    [own.account_id, since, since],
  );
  // A node that ran until now may have closed the month before the account was created.
  await db.run('DELETE FROM billing_month WHERE account_id = ?', [own.account_id]);
  for (let ago = backlog; ago > 0; ago -= 1) {
    const period = addMonths(present, -ago);
    const [month, day] = [Buffer.from(period), dayIn(period)];
    await db.run(
      `INSERT INTO billing_usage_total (account_id, period, meter, project_id, day, country, is_test, quantity)
       VALUES (?, ?, 'sms.segment', ?, ?, 'DE', 0, ?)`,
      [own.account_id, month, own.project_id, day, segments / 2],
    );
    await db.run(
      `INSERT INTO billing_usage (id, account_id, period, meter, project_id, day, country, is_test, environment_id, quantity, source_id,
         reserved, is_rolled_up, created_at) VALUES (?, ?, ?, 'sms.segment', ?, ?, 'DE', 0, ?, ?, 'test', 0, 0, ?)`,
      [idBytes(newId()), own.account_id, month, own.project_id, day, own.id, segments / 2, since],
    );
    await db.run(
      `INSERT INTO billing_passthrough (id, account_id, period, description, amount, incurred_at, created_at)
       VALUES (?, ?, ?, 'A fee', 1500000, ?, ?)`,
      [idBytes(newId()), own.account_id, month, since, since],
    );
  }
  return own.account_id;
}

/**
 * Queues the close as the recurring job does, and ends the lease of a dead process, which would be valid for another
 * half minute.
 */
export async function queueClose(db: ConnectedDatabase, account: Buffer): Promise<void> {
  await db.run(
    `INSERT INTO billing_close_queue (id, partition_id, lane, due_at, attempts, leased) VALUES (?, ?, 1, UTC_TIMESTAMP(3), 0, 0)
     ON DUPLICATE KEY UPDATE leased = 0, lease_token = NULL, lease_until = NULL, due_at = UTC_TIMESTAMP(3)`,
    [account, account],
  );
}
