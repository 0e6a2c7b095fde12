import type { Context } from '#core/kernel/context.js';
import type { Counted } from './count.js';

/** @throws sms_too_long for a text of more segments than the environment's setting allows */
export function requireShort(
  { fail }: Pick<Context<never, 'sms_too_long'>, 'fail'>,
  { segments, encoding, forcedBy }: Counted,
  limit: number,
): void {
  if (segments <= limit) return;
  const nextStep =
    forcedBy.length === 0
      ? 'Shorten the message, or raise maxSegments with sms.settings.set. sms.estimate counts segments without sending.'
      : `Replace the characters that GSM-7 does not have (${forcedBy.slice(0, 5).join(' ')}), shorten the message, or raise maxSegments with sms.settings.set. sms.estimate lists all of them.`;
  throw fail.sms_too_long({ segments, encoding, limit, nextStep, details: { segments, encoding, limit } });
}
