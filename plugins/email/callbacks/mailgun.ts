import { dayMs, hourMs } from '#core/runtime/clock.js';
import { createHmac } from 'node:crypto';
import { refusalOf } from '#core/kernel/errors/common.js';
import { equalBytes } from '#core/runtime/secrets/digest.js';
import { at, isRecord, textAt } from '#core/runtime/json.js';
import { bounceKind, enhancedCodeIn, judgedKind } from '../bounces/classify.js';
import type { Report } from '../tables/report.js';
import { settings } from '../deployment/settings.js';
import { badSignature, notConfigured, type ProviderAdapter, type ProviderEvent } from './adapter.js';
import { textsOf, timeOf } from './values.js';

/** Mailgun retries a webhook for eight hours at most, and clocks may differ. */
const maxAgeMs = dayMs;
const maxAheadMs = hourMs;

/** Whether a signature with this timestamp, in seconds since 1970, is recent. */
function isRecent(timestamp: string, now: Date): boolean {
  const ageMs = now.getTime() - Number(timestamp) * 1_000;
  return ageMs <= maxAgeMs && ageMs >= -maxAheadMs;
}

/**
 * Webhooks of Mailgun. Each has a signature: HMAC-SHA256 of the timestamp and token in it, under the account's webhook
 * signing key. The signature does not cover the event, so anybody who has seen one could use it for any event. It is
 * therefore accepted for only one day.
 */
export const mailgun: ProviderAdapter = {
  name: 'Mailgun',
  recognizes: ({ json }) => isRecord(at(json, 'event-data')) && isRecord(at(json, 'signature')),
  read({ json }, { deployment, clock }) {
    const { mailgunKey } = deployment.settingsOf(settings);
    if (mailgunKey === undefined) throw notConfigured('SVC_MAIL_MAILGUN_KEY');
    const signature = at(json, 'signature');
    const timestamp = textAt(signature, 'timestamp') ?? '';
    const signed = `${timestamp}${textAt(signature, 'token') ?? ''}`;
    const expected = createHmac('sha256', mailgunKey).update(signed).digest('hex');
    if (!equalBytes(Buffer.from(expected), Buffer.from(textAt(signature, 'signature') ?? '')))
      throw badSignature('the signature is wrong', 'SVC_MAIL_MAILGUN_KEY');
    if (!isRecent(timestamp, clock.now()))
      throw refusalOf.callback_rejected({
        problem: 'the signature is more than a day old, or from the future',
        nextStep: 'Synchronise this machine’s clock with NTP. Mailgun signs each webhook when it sends it.',
      });
    return eventsOf(at(json, 'event-data'), clock.now());
  },
};

function eventsOf(data: unknown, now: Date): ProviderEvent[] {
  const address = textAt(data, 'recipient');
  const report = reportOf(data, timeOf(at(data, 'timestamp')) ?? now);
  if (!report || address === null) return [];
  const id = textAt(data, 'message', 'headers', 'message-id');
  return [
    {
      address,
      returnPath: textAt(data, 'envelope', 'sender'),
      messageIds: textsOf(id),
      providerId: id,
      report,
    },
  ];
}

function reportOf(data: unknown, time: Date): Report | null {
  const [event, reason] = [textAt(data, 'event'), textAt(data, 'reason') ?? ''];
  const status = at(data, 'delivery-status');
  const said = textAt(status, 'message') || textAt(status, 'description') || reason;
  const reply = textAt(status, 'code') ?? '';
  const detail = said.includes(reply) ? said : `${reply} ${said}`;
  const code = textAt(status, 'enhanced-code') ?? enhancedCodeIn(detail);
  if (event === 'delivered') return { type: 'delivered', kind: null, code, detail, at: time };
  if (event === 'complained' || (event === 'failed' && reason === 'suppress-complaint'))
    return { type: 'complained', kind: null, code: null, detail: detail || 'Reported as spam.', at: time };
  // Mailgun itself retries after a temporary failure.
  if (event !== 'failed' || textAt(data, 'severity') === 'temporary') return null;
  const judged = reason === 'bounce' ? judgedKind('hard', code, detail) : bounceKind(code, detail);
  const kind = reason === 'suppress-bounce' ? 'hard' : judged;
  return { type: 'bounced', kind, code, detail, at: time };
}
