import type { SMTPServerAuthentication, SMTPServerSession } from 'smtp-server';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { isTenant, type TenantCaller } from '#core/kernel/caller/caller.js';
import type { Services } from '#core/kernel/services.js';
import { newId } from '#core/runtime/id.js';
import { clientOf } from '../inbound/smtp/client.js';
import { tryLater, type SmtpReply } from '../inbound/smtp/reply.js';
import send from '../operations/send.js';
import { loginReply } from './reply-of.js';

/** A program that has authenticated. */
export interface Login {
  /** The user name, which svc only writes down. */
  readonly user: string;
  /** The secret key. Each message presents it again, because it may have been revoked. */
  readonly key: string;
  readonly caller: TenantCaller;
}

/** The longest user name that is stored. */
const mostUser = 100;

/**
 * Checks user and password of AUTH: the password is a secret key that may call email.send. Wrong ones are limited as
 * over HTTP.
 * @throws SmtpReply 535 for other passwords, 454 if it may be accepted later
 */
export async function loginOf(
  services: Services,
  { username, password }: SMTPServerAuthentication,
  session: SMTPServerSession,
): Promise<Login> {
  const key = password ?? '';
  try {
    const { ip, helo } = clientOf(session);
    const { caller } = await services.admit(send, {
      bearer: key,
      environmentId: undefined,
      request: { requestId: newId(), ip: ip ?? '', userAgent: helo, origin: null },
    });
    if (!isTenant(caller) || caller.kind !== 'key')
      throw refusalOf.unauthenticated({ problem: 'the password is not an API key' });
    const user = Array.from((username ?? '').replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim());
    return { user: user.slice(0, mostUser).join('') || 'no name', key, caller };
  } catch (error) {
    throw replyTo(error, services);
  }
}

const howTo = 'Give a secret key of svc with the permission email:write as the password.';

function replyTo(error: unknown, { log }: Pick<Services, 'log'>): SmtpReply {
  if (!(error instanceof SvcError)) {
    log.error({ err: error }, 'a key of SMTP submission could not be looked up');
    return tryLater();
  }
  const { code, status, message, fix } = error;
  // The refusals of a dashboard session do not tell a mail program what to do.
  const isOfKeys = status === 429 || status >= 500 || code === 'permission_required' || code === 'project_archived';
  return loginReply(
    isOfKeys
      ? new SvcError(code, status, message, fix, undefined)
      : new SvcError('unauthenticated', 401, '', howTo, undefined),
  );
}
