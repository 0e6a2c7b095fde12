import type { Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { countAgainst } from '#core/kernel/limits/count.js';
import { newId } from '#core/runtime/id.js';
import { directory } from '#plugins/account/ports.js';
import type { TransactionalMail } from '../ports.js';
import type { MessageRow } from '../tables/message.js';
import { displayNameProblem } from '../messages/header.js';
import { presentMessage } from '../messages/present.js';
import { sealContent } from '../messages/sealed.js';
import { storeMessage } from '../messages/store.js';
import { ownAddress, ownDomain } from '../senders/sender.js';
import { systemContent } from './content.js';

/** The budget of mail that the service sends on a project's behalf (specification, Limits). */
const budgets = [
  { period: 'per hour', max: 500, windowSeconds: 3_600 },
  { period: 'per day', max: 5_000, windowSeconds: 86_400 },
];

async function spend({ db, clock, fail }: Context, environment: Environment): Promise<void> {
  for (const { period, max, windowSeconds } of budgets) {
    const seconds = await countAgainst(db, {
      key: `system mail|${period}|${environment.id}`,
      max,
      windowSeconds,
      now: clock.now(),
    });
    if (seconds > 0) throw fail.auth_send_limited({ limit: max, period, seconds });
  }
}

/** A project's name may hold what a header cannot; its invitations leave all the same. */
function displayName(brandName: string): string | null {
  const name = brandName.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  return name === '' || displayNameProblem(name) !== null ? null : name;
}

/** System mail, queued with the rows of whatever asks for it. */
export const makeTransactionalMail = (context: Context<'email.queued'>): TransactionalMail => ({
  async queue(environment, mail) {
    const { clock, vault, use, fail, emit } = context;
    if (environment.closedAt) throw fail.account_closed();
    await spend(context, environment);
    const now = clock.now();
    const theme = await use(directory).theme(environment);
    const message: MessageRow = {
      id: newId(),
      environmentId: environment.id,
      status: 'queued',
      isSystem: true,
      fromAddress: ownAddress(await ownDomain(context, environment)),
      fromName: displayName(theme.brandName),
      replyTo: theme.supportEmail === null ? [] : [theme.supportEmail],
      toAddresses: [mail.to],
      ccAddresses: [],
      bccAddresses: [],
      subject: null,
      template: mail.template.name,
      headers: {},
      tags: {},
      blockedReason: null,
      personId: null,
      topic: null,
      contactId: null,
      sendAfter: null,
      sentAt: null,
      endedAt: null,
      createdAt: now,
    };
    const sealed = sealContent(vault, message.id, systemContent(mail, theme));
    await storeMessage(context, {
      message,
      environment,
      lane: 'system',
      content: { text: null, html: null, sealed },
      attachments: [],
      recipients: [{ address: mail.to, allowed: true }],
    });
    emit('email.queued', { subjectId: message.id, data: { message: presentMessage(message, []) } }, environment);
    return { messageId: message.id };
  },
});
