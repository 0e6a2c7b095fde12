import { createTestDatabase } from '#test/support/database.js';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

/** The tests' server is fast and forgetful, which production refuses: for one suite it keeps what it acknowledges. */
export function useDurableServer(): { makeDurable(): Promise<void> } {
  const was: { flush?: number } = {};
  const run = async (sql: string): Promise<RowDataPacket[]> => {
    const database = await createTestDatabase();
    const connection = await createConnection({ uri: database.url });
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    await connection.end();
    await database.drop();
    return rows;
  };
  after(async () => {
    if (was.flush !== undefined) await run(`SET GLOBAL innodb_flush_log_at_trx_commit = ${was.flush}`);
  });
  return {
    async makeDurable() {
      const [row] = await run('SELECT @@global.innodb_flush_log_at_trx_commit AS flush');
      const flush: unknown = row?.['flush'];
      if (flush === 1) return;
      was.flush = Number(flush);
      await run('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    },
  };
}
