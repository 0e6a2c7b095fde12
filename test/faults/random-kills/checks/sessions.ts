import type { Evidence } from './check.js';
import { acceptedOf } from './check.js';

/** One session for each sign-in, which still lives, and as many generations as its refreshes were accepted. */
export async function checkSessions({ db, journal, violations }: Evidence): Promise<void> {
  const rows = await db.rows<{ email: string; sessions: number; ended: string | number; generation: number }>(
    `SELECT auth_user.email, COUNT(*) AS sessions, COUNT(auth_session.ended_at) AS ended, MAX(auth_session.generation) AS generation
     FROM auth_session JOIN auth_user ON auth_user.id = auth_session.user_id WHERE auth_user.email LIKE 'signin-%' GROUP BY auth_user.email`,
  );
  const stored = new Map(rows.map((row) => [row.email, row]));
  const refreshes = new Map<string, number>();
  for (const { key } of acceptedOf(journal, 'auth.session.refresh')) {
    const label = key.slice(0, key.lastIndexOf('.'));
    refreshes.set(label, (refreshes.get(label) ?? 0) + 1);
  }
  for (const { key } of acceptedOf(journal, 'auth.signin.verify')) {
    const label = key.slice(0, key.lastIndexOf('.'));
    const row = stored.get(`signin-${label}@example.com`);
    const made = refreshes.get(label) ?? 0;
    if (row?.sessions !== 1 || Number(row.ended) !== 0)
      violations.add(
        'Each sign-in has one session',
        `${label} has ${row?.sessions ?? 0}, ${row?.ended ?? 0} of them ended.`,
      );
    if ((row?.generation ?? 0) !== made)
      violations.add(
        'No refresh is lost',
        `${label}: ${made} refreshes were accepted, ${row?.generation ?? 0} are stored.`,
      );
  }
  const signedIn = acceptedOf(journal, 'auth.signin.verify').length;
  if (stored.size !== signedIn)
    violations.add('Each sign-in has one session', `${signedIn} sign-ins were accepted, ${stored.size} are stored.`);
}
