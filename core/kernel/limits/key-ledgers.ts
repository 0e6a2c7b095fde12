import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { SqlValue } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { readLedger, writeLedger, type Ledger } from './key-ledger.js';

/** Changes one key's ledger under its row's lock; `how` may run again after a conflict. @returns what `how` returned */
export type ChangeLedger = <T extends { ledger: Ledger }>(keyId: string, how: (ledger: Ledger) => T) => Promise<T>;

interface Change {
  readonly keyId: string;
  /** The ledger after the change. */
  apply(ledger: Ledger): Ledger;
  done(): void;
  failed(error: unknown): void;
}

/** Keys of one statement, at most. */
const most = 128;

/**
 * Changes of ledgers, gathered: what comes while one transaction runs goes together in the next. A key alone passes ten requests a
 * second, so that a transaction for each key would cost half a commit per request.
 */
export function createKeyLedgers(database: ConnectedDatabase): ChangeLedger {
  const waiting: Change[] = [];
  let running = false;

  /** The changes of rows that are there and free. @returns those of the others, which must wait for their row alone */
  const together = async (changes: readonly Change[]): Promise<Change[]> => {
    const ids = [...new Set(changes.map(({ keyId }) => keyId))].map(idBytes);
    const ledgers = await database.transact({
      work: async (session) => {
        const rows = await session.rows<{ key_id: Buffer; ledger: string }>(
          'SELECT key_id, ledger FROM svc_ceiling FORCE INDEX (PRIMARY) WHERE key_id IN (?) FOR UPDATE SKIP LOCKED',
          [ids],
        );
        const found = new Map(rows.map((row) => [idText(row.key_id), readLedger(row.ledger)]));
        for (const { keyId, apply } of changes) {
          const before = found.get(keyId);
          if (before) found.set(keyId, apply(before));
        }
        return found;
      },
      closing: (found) => {
        if (found.size === 0) return [];
        const parameters = [...found].flatMap(([keyId, ledger]): SqlValue[] => [idBytes(keyId), writeLedger(ledger)]);
        const marks = Array.from(found, () => '(?, ?)').join(', ');
        return [
          {
            sql: `INSERT INTO svc_ceiling (key_id, ledger) VALUES ${marks} ON DUPLICATE KEY UPDATE ledger = VALUES(ledger)`,
            parameters,
          },
        ];
      },
    });
    changes.filter(({ keyId }) => ledgers.has(keyId)).forEach(({ done }) => done());
    return changes.filter(({ keyId }) => !ledgers.has(keyId));
  };

  /** One change on its own: its row is new, or another node holds it. */
  const alone = async ({ keyId, apply, done }: Change): Promise<void> => {
    const id = idBytes(keyId);
    await database.transact({
      // Insert first: a SELECT ... FOR UPDATE of an absent row, then INSERT, deadlocks racers.
      opening: {
        sql: "INSERT INTO svc_ceiling (key_id, ledger) VALUES (?, '') ON DUPLICATE KEY UPDATE key_id = key_id",
        parameters: [id],
      },
      work: async (session) => {
        const [row] = await session.rows<{ ledger: string }>(
          'SELECT ledger FROM svc_ceiling WHERE key_id = ? FOR UPDATE',
          [id],
        );
        return apply(readLedger(row?.ledger ?? ''));
      },
      closing: (ledger) => [
        { sql: 'UPDATE svc_ceiling SET ledger = ? WHERE key_id = ?', parameters: [writeLedger(ledger), id] },
      ],
    });
    done();
  };

  const flush = async (): Promise<void> => {
    if (running) return;
    running = true;
    while (waiting.length > 0) {
      const changes = waiting.splice(0, most);
      try {
        const left = await together(changes);
        // Not awaited: one row that another node holds must not keep the other keys waiting.
        for (const each of left) alone(each).catch(each.failed);
      } catch (error) {
        for (const { failed } of changes) failed(error);
      }
    }
    running = false;
  };

  return (keyId, how) =>
    new Promise((resolve, reject) => {
      const answer: { last?: ReturnType<typeof how> } = {};
      waiting.push({
        keyId,
        apply: (ledger) => (answer.last = how(ledger)).ledger,
        done: () => (answer.last ? resolve(answer.last) : reject(new Error('The ledger was not read.'))),
        failed: reject,
      });
      void flush();
    });
}
