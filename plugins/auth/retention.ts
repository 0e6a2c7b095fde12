import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** How many days sessions stay listed after they ended or expired (docs/sign-in.md). */
const sessionDays = 90;

/** How many days after its expiry an invitation's link still answers that it has expired. */
const invitationDays = 90;

/**
 * Tables of rows that are useless a day after they expired. Until then, a late call learns that the code was used or
 * has expired.
 */
const expiring = [
  'auth_challenge',
  'auth_handoff',
  'auth_oauth_state',
  'auth_device',
  'auth_openid_record',
  'auth_app_secret',
];

/** The hourly jobs that delete sessions, started proofs, handoff codes and invitations after their retention. */
export const retentionJobs = ({ database, clock }: Services): RecurringJob[] => {
  const forget = (table: string, column: string, days: number, condition = 'TRUE'): Promise<void> =>
    deleteInBatches(database, `DELETE FROM ${table} WHERE ${condition} AND ${column} < ? ORDER BY ${column}`, [
      shift(clock.now(), -days * dayMs),
    ]);
  return [
    {
      name: 'auth.forget-expired',
      every: '1 hour',
      isFinal: true,
      async run() {
        for (const table of expiring) await forget(table, 'expires_at', 1);
      },
    },
    {
      name: 'auth.forget-sessions',
      every: '1 hour',
      isFinal: true,
      async run() {
        for (const column of ['expires_at', 'ended_at']) await forget('auth_session', column, sessionDays);
      },
    },
    {
      name: 'auth.forget-invitations',
      every: '1 hour',
      isFinal: true,
      // Accepted ones are kept: they prove by which address a user became a member (organizations/unproven.ts).
      run: () => forget('auth_org_invite', 'expires_at', invitationDays, 'accepted_at IS NULL'),
    },
  ];
};
