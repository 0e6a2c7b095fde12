import type { Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { recipientKey } from '#core/kernel/schema/recipient-key.js';
import { countAgainst } from '#core/kernel/limits/count-against.js';
import { chargeSystemBudget, mailRecipient, placeNotice } from '#core/messaging/system-budget.js';
import { directory } from '#plugins/account/ports.js';
import type { TransactionalMail } from '../ports.js';
import { acceptSystemMail } from '../messages/accept.js';
import { despiteBounce, isBounced, mailEligibility } from '../messages/eligibility.js';
import { displayNameProblem } from '../templates/header.js';
import { projectAddress, projectDomain } from '../senders/sender.js';
import { findOverride, renderSystemMail } from './render.js';

/** The brand's name as a display name; null if a header cannot contain it. */
function displayName(brandName: string): string | null {
  const name = brandName.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  return name === '' || displayNameProblem(name) !== null ? null : name;
}

/** How often sign-in mail is sent to an address that has bounced: more would cost the sender its reputation. */
const bouncedRetries = { max: 3, windowSeconds: 86_400 };

/** Whether sign-in mail may be sent to an address that has bounced: counts it. */
async function takeRetry(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id }: Environment,
  address: string,
): Promise<boolean> {
  const key = `sign-in mail despite bounce|${id}|${recipientKey(address)}`;
  return (await countAgainst(db, { key, ...bouncedRetries, now: clock.now() })) === 0;
}

/** Provides the port `transactionalMail`. */
export const makeTransactionalMail = (
  context: Context<'email.queued' | 'email.suppressed', 'account_closed' | 'auth_send_limited'>,
): TransactionalMail => ({
  async queue(environment, mail) {
    if (environment.closedAt) throw context.fail.account_closed({ reopen: 'account.reopen' });
    const { budget } = mail.template;
    const isNotice = budget === 'notice';
    const recipient = mailRecipient(mail.to);
    if (!isNotice) await chargeSystemBudget(context, environment, budget, recipient);
    const testReach = mail.toInvited === true ? 'anyone' : 'members';
    const [theme, projectLocale, override, domain, checked] = await Promise.all([
      context.use(directory).theme(environment),
      context.use(directory).locale(environment.projectId),
      findOverride(context, environment, mail),
      projectDomain(context, environment),
      mailEligibility(context, environment, { topic: null, isSystem: budget !== 'confirmation' }, [mail.to], testReach),
    ]);
    const hasBounced = checked.some(isBounced);
    const isRetried = hasBounced && budget === 'signin' && (await takeRetry(context, environment, mail.to));
    const eligibility = isRetried ? checked.map(despiteBounce) : checked;
    const wanted = [mail.locale, projectLocale];
    // Suppressed mail takes no place among the notices.
    const isSent = eligibility.some(({ blockReason }) => blockReason === null);
    const sendAfter = isNotice && isSent ? await placeNotice(context, environment, recipient) : null;
    const { content, template } = await renderSystemMail(context, environment, mail, { theme, override, wanted });
    const { message } = await acceptSystemMail(context, {
      environment,
      eligibility,
      isSystem: true,
      from: {
        address: projectAddress(domain),
        name: displayName(theme.brandName),
      },
      replyTo: theme.supportEmail === null ? [] : [theme.supportEmail],
      to: [mail.to],
      cc: [],
      bcc: [],
      names: {},
      content,
      attachments: [],
      headers: {},
      tags: {},
      template,
      topic: null,
      personId: mail.personId ?? null,
      sendAfter,
    });
    return { messageId: message.id, hasBounced };
  },
});
