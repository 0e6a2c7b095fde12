import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { Standings } from '../ports.js';

/**
 * Provides the port `standings`. It locks the account's row against changes until the transaction ends. A broadcast
 * that is sent in the meantime is therefore either refused, or seen by the transaction that holds the account's
 * broadcasts (change-standing.ts).
 */
export const makeStandings = ({ db }: Pick<Context, 'db'>): Standings => ({
  async standing(accountId) {
    const [row] = await db.rows<{ standing: Buffer }>(
      'SELECT standing FROM billing_account WHERE account_id = ? LOCK IN SHARE MODE',
      [idBytes(accountId)],
    );
    return row?.standing.toString() === 'past_due' ? 'past_due' : 'good';
  },
});
