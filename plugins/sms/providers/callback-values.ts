import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import { formats } from '#core/kernel/schema/formats.js';

/**
 * The address to which a provider reports about one text. Providers sign the whole address, so the message id in the
 * query can be trusted.
 */
export const statusUrlOf = (baseUrl: string, messageId: string): string =>
  `${baseUrl}/v1/sms/status?message=${messageId}`;

/** The address that a provider calls when a registration has changed. */
export const registrationUrlOf = (baseUrl: string, registrationId: string): string =>
  `${baseUrl}/v1/sms/status?registration=${registrationId}`;

function idIn(query: URLSearchParams, name: string): string | null {
  const id = query.get(name) ?? '';
  return formats['uuid']?.(id) === true ? id.toLowerCase() : null;
}

/** The message id in the query of a status callback; null if there is none. */
export const messageIdIn = (query: URLSearchParams): string | null => idIn(query, 'message');

/** The message id in an address made by `statusUrlOf`; null in any other address. */
export const messageIdOfUrl = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? messageIdIn(new URL(url).searchParams) : null;

/** The registration id in the query of a status callback; null if there is none. */
export const registrationIdIn = (query: URLSearchParams): string | null => idIn(query, 'registration');

export const badSignature = (problem: string): SvcError =>
  refusalOf.callback_rejected({
    problem,
    nextStep:
      'Compare SVC_SMS_URL with the values in the provider’s console, and SVC_BASE_URL with the address that the provider calls. See docs/texts.md.',
  });

/** The refusal of a callback while no provider is configured: no caller can be authenticated. */
export const noProvider = (): SvcError =>
  refusalOf.callback_rejected({
    problem: 'SVC_SMS_URL is not set, so callers cannot be authenticated',
    nextStep: 'Set SVC_SMS_URL to the provider that calls, and restart the server. See docs/texts.md.',
  });
