import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Translations } from '#core/kernel/language.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { shownName } from '#core/kernel/schema/plain-name.js';
import { formatDateTime, textsFor } from '#core/surfaces/pages/texts.js';
import { transactionalMail, type TransactionalMail } from '#plugins/email/ports.js';
import type { UserRow } from '../tables/user.js';
import type { NoticeKind } from './kinds.js';
import { noticeMails } from './templates.js';

/** Replaces the email product: codes and links cannot be sent. */
export const noSignInMail = ({ fail }: Context): TransactionalMail => ({
  async queue() {
    throw fail.provider_not_configured({
      owner: 'This deployment',
      provider: 'email',
      nextStep:
        'Add email to SVC_PRODUCTS and restart the server. auth.signin.methods lists the sign-in methods that do not need email.',
    });
  },
});

/** What a notice contains in addition to its fixed texts. */
interface NoticeFacts {
  /**
   * The name of the passkey, factor or device, or the address that it is about. Texts written by svc exist in every
   * language.
   */
  what?: string | Translations<string>;
  /** Another address that receives the notice, such as the former primary address. */
  alsoTo?: string | null;
}

/** Reasons for omitting a notice: the reported action must not fail because mail cannot be sent. */
const skipped = ['account_closed', 'provider_not_configured'];

/**
 * Informs a user by mail that something about their sign-in changed, in the transaction that changes it. The mail goes
 * to the primary address if it is proven, and to `alsoTo`. If no mail can be sent (the email product is off, or the
 * account is closed), it is omitted. If the budget of notices is used up, it is sent later.
 * @param user as it is after the change
 */
export async function sendSecurityNotice(
  context: Context,
  environment: Environment,
  user: Pick<UserRow, 'id' | 'email' | 'emailVerified' | 'locale'>,
  kind: NoticeKind,
  { what = '', alsoTo = null }: NoticeFacts = {},
): Promise<void> {
  const template = noticeMails.get(kind);
  if (!template) throw new Error(`The notice ${kind} has no email template.`);
  const { caller, clock, use } = context;
  const recipients = new Set([user.emailVerified ? user.email : null, alsoTo].filter((address) => address !== null));
  const variables = (formatTag: string): Record<string, string> => ({
    what: typeof what === 'string' ? shownName(what) : textsFor(what, [formatTag]).texts,
    time: formatDateTime(formatTag, clock.now()),
    ip: caller.request.ip,
  });
  for (const to of recipients) {
    try {
      await use(transactionalMail).queue(environment, {
        template,
        to,
        variables,
        personId: user.id,
        ...(user.locale === null ? {} : { locale: user.locale }),
      });
    } catch (error) {
      if (error instanceof SvcError && skipped.includes(error.code)) return;
      throw error;
    }
  }
}
