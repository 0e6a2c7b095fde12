import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { keyIssuer, type LoweredAccount } from '#core/kernel/ports.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { shownName } from '#core/kernel/schema/plain-name.js';
import type { Session } from '#core/runtime/database/session.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { idBytes } from '#core/runtime/id.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { lockAccountWith, accounts, type AccountRow } from '../tables/account.js';
import { members, type MemberRow } from '../tables/member.js';
import { endpointChanges, keyChanges, hasProvenOwner } from './rules.js';
import { proofMail, presentKeys } from './proof-mail.js';

/*
 * Anyone can open an account in another person's name and keep its first keys, because signup proves nothing. The
 * person proves the address by signing in. From then on only the owner administers the account: every key created
 * earlier is lowered, and the owner is informed.
 */

/**
 * Records that a member has proven their address. The first proof by an owner of the account lowers the keys created
 * before it, writes an audit record that names them, and mails the owner. Runs in a separate transaction. Repeated and
 * concurrent calls do nothing.
 */
export async function proveAddress(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  memberId: string,
): Promise<void> {
  await transaction('First sign-in', async (context) => {
    const { db, clock, use, actIn, audit } = context;
    const known = await db.findOne(members, { id: memberId });
    if (!known) return;
    // As in account.project.create, so that no key of a project that is being created is missed.
    const account = await lockAccountWith(db, known.accountId);
    const isFirst = known.role === 'owner' && !(await hasProvenOwner(db, account.id));
    const now = clock.now();
    const { affectedRows } = await db.run(
      'UPDATE account_member SET proven_at = ? WHERE id = ? AND proven_at IS NULL',
      [now, idBytes(memberId)],
    );
    if (affectedRows === 0 || !isFirst) return;
    await claimAddress(db, known);
    const made = await use(keyIssuer).lowerAll(account.id);
    const [environment] = await liveEnvironments(db, account.id);
    if (!environment) throw new Error(`The account ${account.id} has no live environment.`);
    actIn(environment);
    audit({
      operation: 'account.signup',
      subject: { type: 'member', id: memberId },
      summary: `${known.email} proved the address of the account’s owner. Keys created earlier keep at most the developer role, without developers:write and account:write.`,
      changes: [
        { field: 'provenAt', from: null, to: now.toISOString() },
        ...keyChanges(made.keys),
        ...(made.keyCount > made.keys.length ? [{ field: 'keyCount', from: null, to: made.keyCount }] : []),
        ...endpointChanges(made.endpoints),
      ],
    });
    if (made.keyCount > 0) await informOwner(context, { account, environment, member: known, made });
  });
}

/** Reserves the address for the account, unless it has opened another one in the meantime. */
async function claimAddress(db: Session, { accountId, emailKey }: MemberRow): Promise<void> {
  try {
    await db.update(accounts, { id: accountId }, { openedBy: emailKey });
  } catch (error) {
    if (!isDuplicate(error, 'opened_by')) throw error;
  }
}

interface Proof {
  account: AccountRow;
  environment: Environment;
  member: MemberRow;
  made: LoweredAccount;
}

async function informOwner(
  { use }: Pick<Context, 'use'>,
  { account, environment, member, made }: Proof,
): Promise<void> {
  // A closed account sends no mail. Its owner must still be able to sign in and reopen it.
  if (environment.closedAt) return;
  const variables = (formatTag: string): Record<string, string> => ({
    accountName: shownName(account.name),
    keys: presentKeys(made, formatTag),
    keyCount: String(made.keyCount),
    endpointCount: String(made.endpoints.length),
  });
  await use(transactionalMail).queue(environment, { template: proofMail, to: member.email, variables });
}
