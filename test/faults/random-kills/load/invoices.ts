import { setTimeout as pause } from 'node:timers/promises';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { lastClosablePeriod, startOf } from '#plugins/billing/periods/months.js';
import { at } from '#test/support/json.js';
import { textAt } from '../../support/call.js';
import type { StripeFake } from '#test/support/stripe.js';
import type { Caller } from '../client.js';
import { queueClose } from '../../support/months.js';
import type { Load } from './load.js';

/** The units of the past month, at a cent each: half of them were not rolled up yet. */
export const segments = 1_000;
/** The fee of that month, in micro-units. */
const fee = 1_500_000;
/** What an invoice is about, in cents. */
export const invoiceCents = segments + fee / 10_000;

interface Owned {
  readonly account: Buffer;
  readonly project: Buffer;
  readonly environment: Buffer;
}

/**
 * Gives an account a past month that was never closed, because the clock of the nodes cannot be moved.
 * @param id of the month's fee. A repeat with the same one changes nothing.
 * @throws Error if the database is down
 */
async function addPastMonth(
  db: ConnectedDatabase,
  id: Buffer,
  { account, project, environment }: Owned,
): Promise<void> {
  const period = lastClosablePeriod(new Date());
  const [month, since, day] = [
    Buffer.from(period),
    startOf(period),
    Math.floor(startOf(period).getTime() / 86_400_000) + 9,
  ];
  await db.transaction(async (session) => {
    const { affectedRows } = await session.run(
      `INSERT IGNORE INTO billing_passthrough (id, account_id, period, description, amount, incurred_at, created_at)
       VALUES (?, ?, ?, 'A fee', ?, ?, ?)`,
      [id, account, month, fee, since, since],
    );
    if (affectedRows === 0) return;
    await session.run(
      `INSERT INTO billing_account (account_id, standing, created_at, updated_at) VALUES (?, 'good', ?, ?)
       ON DUPLICATE KEY UPDATE created_at = VALUES(created_at)`,
      [account, since, since],
    );
    await session.run('DELETE FROM billing_month WHERE account_id = ? AND period = ?', [account, month]);
    await session.run(
      `INSERT INTO billing_usage_total (account_id, period, meter, project_id, day, country, is_test, quantity)
       VALUES (?, ?, 'sms.segment', ?, ?, 'DE', 0, ?)`,
      [account, month, project, day, segments / 2],
    );
    await session.run(
      `INSERT INTO billing_usage (id, account_id, period, meter, project_id, day, country, is_test, environment_id, quantity, source_id,
         reserved, is_rolled_up, created_at) VALUES (?, ?, ?, 'sms.segment', ?, ?, 'DE', 0, ?, ?, 'test', 0, 0, ?)`,
      [idBytes(newId()), account, month, project, day, environment, segments / 2, since],
    );
  });
}

/** Repeats something at the database until it is there. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === 100) throw error;
      await pause(300);
    }
  }
}

/**
 * Gives an account a key of its live environment, which its owner would create in the dashboard.
 * @param id of the key. A repeat with the same one changes nothing.
 * @param testKey the secret key of the test environment, which it is like
 */
async function addLiveKey(
  db: ConnectedDatabase,
  id: Buffer,
  plaintext: string,
  testKey: string,
  live: Buffer,
): Promise<void> {
  await db.run(
    `INSERT IGNORE INTO developers_key (id, environment_id, name, kind, prefix, digest, permissions, allowed_origins, role,
       member_id, lineage_id, created_by, created_ip, created_at)
     SELECT ?, ?, 'Live', kind, ?, ?, permissions, allowed_origins, role, member_id, ?, created_by, created_ip, created_at
     FROM developers_key WHERE digest = ?`,
    [id, live, Buffer.from(plaintext.slice(0, 14)), sha256(plaintext), id, sha256(testKey)],
  );
}

/**
 * Adds a card. If a node dies while it calls the provider, the answer has a link to svc instead of the provider's page;
 * the owner then starts again.
 */
async function addCard({ write }: Caller, stripe: StripeFake, label: string): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const setup = await write(`${label}.setup-${attempt}`, 'billing.payment.setup', {});
    const url = textAt(setup.result, 'url');
    if (!url.startsWith(stripe.url)) continue;
    await stripe.enterCard(url, '4242424242424242');
    const input = { setupId: textAt(setup.result, 'setupId') };
    const confirmed = await write(`${label}.confirm-${attempt}`, 'billing.payment.confirm', input);
    if (at(confirmed.result, 'status') === 'active') return true;
  }
  return false;
}

/** An account that signs up, enters a card, and has a month to pay. */
export const invoices: Load = {
  name: 'invoice',
  clients: 1,
  everyMs: 3_000,
  permissions: ['billing:read'],
  async turn({ visitor, callerWith, deployment: { db, stripe } }, label) {
    const input = { name: label, email: `${label}@example.com`, projectName: label };
    const { result } = await visitor.write(`${label}.signup`, 'account.signup', input);
    const account = idBytes(textAt(result, 'account', 'id'));
    const [live] = await untilAnswered(() =>
      db.rows<{ id: Buffer; project_id: Buffer }>(
        "SELECT id, project_id FROM svc_environment WHERE account_id = ? AND kind = 'live'",
        [account],
      ),
    );
    if (!live) throw new Error(`${label} has no live environment.`);
    const [keyId, liveKey, testKey] = [
      idBytes(newId()),
      `svc_live_${randomToken(43)}`,
      textAt(result, 'keys', 'secret'),
    ];
    await untilAnswered(() => addLiveKey(db, keyId, liveKey, testKey, live.id));
    const owner = callerWith(liveKey);
    if (!(await addCard(owner, stripe, label))) throw new Error(`${label} could not add a card.`);
    const id = idBytes(newId());
    await untilAnswered(() => addPastMonth(db, id, { account, project: live.project_id, environment: live.id }));
    await untilAnswered(() => queueClose(db, account));
  },
};
