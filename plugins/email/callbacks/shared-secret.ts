import type { CallbackRequest } from '#core/kernel/callback.js';
import type { Services } from '#core/kernel/services.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { settings } from '../deployment/settings.js';
import { badSignature, notConfigured } from './adapter.js';

/**
 * Authenticates a callback by SVC_MAIL_CALLBACK_SECRET: as a bearer token, or as the password of HTTP Basic, which
 * providers send if their callback address has the form https://svc:<secret>@….
 * @throws callback_rejected
 */
export function requireSharedSecret({ headers }: Pick<CallbackRequest, 'headers'>, { deployment }: Services): void {
  const { mailCallbackSecret } = deployment.settingsOf(settings);
  if (mailCallbackSecret === undefined) throw notConfigured('SVC_MAIL_CALLBACK_SECRET');
  const given = secretIn(headers['authorization'] ?? '');
  if (!equalBytes(sha256(given), sha256(mailCallbackSecret)))
    throw badSignature('the shared secret is missing or wrong', 'SVC_MAIL_CALLBACK_SECRET');
}

function secretIn(authorization: string): string {
  const [, scheme = '', rest = ''] = /^(\w+) +([^ ].*)/.exec(authorization) ?? [];
  const credentials = rest.trim();
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() !== 'basic') return '';
  const login = Buffer.from(credentials, 'base64').toString('utf8');
  return login.slice(login.indexOf(':') + 1);
}
