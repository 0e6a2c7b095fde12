import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { ThemeRow } from '../tables/theme.js';
import { themeRow } from './find.js';

/**
 * The environment's theme row, held until the transaction ends, so that of racing saves, publications and resets each sees what
 * the one before it left. Insert first: reading an absent row FOR UPDATE and inserting it then deadlocks racers (reliability.md).
 * A row without published look and draft says the same as no row.
 */
export async function holdTheme(db: Session, environmentId: string): Promise<ThemeRow> {
  await db.run(
    'INSERT INTO account_theme (environment_id, version) VALUES (?, 0) ON DUPLICATE KEY UPDATE version = version',
    [idBytes(environmentId)],
  );
  const row = await themeRow(db, environmentId);
  if (!row) throw new Error('The theme row that was just held is gone.');
  return row;
}
