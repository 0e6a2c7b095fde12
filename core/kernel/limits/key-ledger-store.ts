import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import type { Holder } from '#core/runtime/holder.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Log } from '#core/runtime/log.js';
import { createTurnTree } from '#core/runtime/turn-tree.js';
import { readLedger, writeLedger, type Ledger } from './key-ledger.js';

/**
 * The table with the key rate limit's counts. Its name is that of the first release: renaming a table would stop the
 * nodes of the previous version during a rolling restart.
 */
export const keyLimitTable = 'svc_ceiling';

/** The stored ledgers of all keys. */
interface KeyLedgerStore {
  /**
   * Changes the ledger of one key atomically, also against other nodes.
   * @param holder whose key it is: if more keys wait than one batch has, accounts take turns
   * @param change returns the ledger to store; called again if another node has changed the ledger in the meantime
   * @returns what the last call of `change` returned
   */
  change<T extends { ledger: Ledger }>(keyId: string, holder: Holder, change: (ledger: Ledger) => T): Promise<T>;
  /** Drops the cached ledger of an idle key. */
  forget(keyId: string): void;
}

interface PendingChange {
  readonly keyId: string;
  /** @returns the ledger after the change */
  apply(ledger: Ledger): Ledger;
  resolve(): void;
  reject(error: unknown): void;
}

const maxKeysPerBatch = 128;

/**
 * Changes requested while a batch is being stored are combined in the next one: a transaction per key would cost half a
 * commit per request.
 *
 * The store remembers each ledger as this node last wrote it. While no other node changes it, a batch takes one round
 * trip: an UPDATE for each key that applies only if the stored text is still the remembered one. The other keys are
 * read under a lock first.
 */
export function createKeyLedgerStore(database: ConnectedDatabase, log: Log): KeyLedgerStore {
  const pending = createTurnTree<PendingChange>();
  const remembered = new Map<string, string>();
  let isRunning = false;

  // Another node may hang while it locks a row: the batch does not wait for it. MySQL has no such setting per
  // statement; there the session's time-out of 5 s applies.
  const withoutWaiting = database.flavour === 'mariadb' ? 'SET STATEMENT innodb_lock_wait_timeout = 0 FOR ' : '';
  const updateSql = `${withoutWaiting}UPDATE ${keyLimitTable} SET ledger = ? WHERE key_id = ? AND ledger = ?`;

  /** Changes remembered ledgers, in one round trip. @returns the changes that were not stored */
  const changeRemembered = async (changes: readonly PendingChange[]): Promise<PendingChange[]> => {
    // In the order of the keys, so that two nodes do not deadlock.
    const keyIds = [...new Set(changes.map(({ keyId }) => keyId))].filter((keyId) => remembered.has(keyId)).sort();
    if (keyIds.length === 0) return [...changes];
    const updates = keyIds.map((keyId) => {
      const before = remembered.get(keyId) ?? '';
      const after = changes
        .filter((change) => change.keyId === keyId)
        .reduce((ledger, { apply }) => apply(ledger), readLedger(before));
      return { keyId, before, after: writeLedger(after) };
    });
    keyIds.forEach((keyId) => remembered.delete(keyId));
    const outcomes = await database
      .commit(
        updates.map(({ keyId, before, after }) => ({ sql: updateSql, parameters: [after, idBytes(keyId), before] })),
      )
      .catch((error: unknown) => {
        log.debug({ err: error }, 'changing remembered key ledgers failed; they are read again');
        return [];
      });
    const stored = updates.filter((_, index) => outcomes[index]?.affectedRows === 1);
    return settle(changes, new Map(stored.map(({ keyId, after }) => [keyId, after])));
  };

  /**
   * Changes ledgers whose rows exist and are not locked, in two round trips. @returns the changes that were not stored
   */
  const changeUnlocked = async (changes: readonly PendingChange[]): Promise<PendingChange[]> => {
    if (changes.length === 0) return [];
    const ids = [...new Set(changes.map(({ keyId }) => keyId))].map(idBytes);
    const stored = await database.transact({
      work: async (session) => {
        const rows = await session.rows<{ key_id: Buffer; ledger: string }>(
          `SELECT key_id, ledger FROM ${keyLimitTable} FORCE INDEX (PRIMARY) WHERE key_id IN (?) FOR UPDATE SKIP LOCKED`,
          [ids],
        );
        const ledgers = new Map(rows.map((row) => [idText(row.key_id), readLedger(row.ledger)]));
        for (const { keyId, apply } of changes) {
          const before = ledgers.get(keyId);
          if (before) ledgers.set(keyId, apply(before));
        }
        return new Map(Array.from(ledgers, ([keyId, ledger]) => [keyId, writeLedger(ledger)]));
      },
      closing: (ledgers) => {
        if (ledgers.size === 0) return [];
        const parameters = [...ledgers].flatMap(([keyId, ledger]): SqlValue[] => [idBytes(keyId), ledger]);
        const rows = Array.from(ledgers, () => '(?, ?)').join(', ');
        return [
          {
            sql: `INSERT INTO ${keyLimitTable} (key_id, ledger) VALUES ${rows} ON DUPLICATE KEY UPDATE ledger = VALUES(ledger)`,
            parameters,
          },
        ];
      },
    });
    return settle(changes, stored);
  };

  /** Changes one ledger whose row is new, or locked by another node: it waits for the lock. */
  const changeLocked = async ({ keyId, apply, resolve }: PendingChange): Promise<void> => {
    const id = idBytes(keyId);
    const stored = await database.transact({
      // INSERT first: when two transactions lock an absent row with SELECT … FOR UPDATE and then insert it, they
      // deadlock.
      opening: {
        sql: `INSERT INTO ${keyLimitTable} (key_id, ledger) VALUES (?, '') ON DUPLICATE KEY UPDATE key_id = key_id`,
        parameters: [id],
      },
      work: async (session) => {
        const [row] = await session.rows<{ ledger: string }>(
          `SELECT ledger FROM ${keyLimitTable} WHERE key_id = ? FOR UPDATE`,
          [id],
        );
        return writeLedger(apply(readLedger(row?.ledger ?? '')));
      },
      closing: (ledger) => [
        { sql: `UPDATE ${keyLimitTable} SET ledger = ? WHERE key_id = ?`, parameters: [ledger, id] },
      ],
    });
    remembered.set(keyId, stored);
    resolve();
  };

  /** Remembers ledgers that were just stored, and resolves their changes. @returns the other changes */
  const settle = (changes: readonly PendingChange[], stored: ReadonlyMap<string, string>): PendingChange[] => {
    stored.forEach((ledger, keyId) => remembered.set(keyId, ledger));
    for (const { keyId, resolve } of changes) if (stored.has(keyId)) resolve();
    return changes.filter(({ keyId }) => !stored.has(keyId));
  };

  const always = (): boolean => true;
  const nextBatch = (): PendingChange[] => {
    const batch: PendingChange[] = [];
    while (batch.length < maxKeysPerBatch) {
      const next = pending.take(always, always);
      if (!next) break;
      batch.push(next);
    }
    return batch;
  };

  const runBatches = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let changes = nextBatch(); changes.length > 0; changes = nextBatch()) {
      try {
        const left = await changeUnlocked(await changeRemembered(changes));
        // Not awaited: a row that another node has locked must not delay the other keys.
        for (const change of left) changeLocked(change).catch(change.reject);
      } catch (error) {
        for (const { reject } of changes) reject(error);
      }
    }
    isRunning = false;
  };

  return {
    change: (keyId, holder, change) =>
      new Promise((resolve, reject) => {
        const answer: { last?: ReturnType<typeof change> } = {};
        pending.add(holder, {
          keyId,
          apply: (ledger) => (answer.last = change(ledger)).ledger,
          resolve: () => (answer.last ? resolve(answer.last) : reject(new Error('The ledger was not read.'))),
          reject,
        });
        void runBatches();
      }),
    forget: (keyId) => void remembered.delete(keyId),
  };
}
