import { verify } from 'node:crypto';
import { at, textAt } from '#core/runtime/json.js';
import { enhancedCodeIn, judgedKind } from '../bounces/classify.js';
import type { Report } from '../tables/report.js';
import { settings } from '../deployment/settings.js';
import { badSignature, invalidBody, notConfigured, type ProviderAdapter, type ProviderEvent } from './adapter.js';
import { sendgridKey } from '../deployment/callback-settings.js';
import { textsOf, timeOf } from './values.js';

/** The header that every callback of SendGrid has. */
export const signatureHeader = 'x-twilio-email-event-webhook-signature';
const timestampHeader = 'x-twilio-email-event-webhook-timestamp';

/** The signed event webhook of SendGrid: ECDSA over the timestamp and the body, which is a list of events. */
export const sendgrid: ProviderAdapter = {
  name: 'SendGrid',
  recognizes: ({ headers }) => headers[signatureHeader] !== undefined,
  read({ headers, rawBody, json }, { deployment, clock }) {
    const key = deployment.settingsOf(settings).sendgridKey;
    if (key === undefined) throw notConfigured('SVC_MAIL_SENDGRID_KEY');
    const signed = Buffer.concat([Buffer.from(headers[timestampHeader] ?? ''), rawBody]);
    const signature = Buffer.from(headers[signatureHeader] ?? '', 'base64');
    if (!verify('sha256', signed, sendgridKey(key), signature))
      throw badSignature('the signature is wrong', 'SVC_MAIL_SENDGRID_KEY');
    if (!Array.isArray(json)) throw invalidBody('it must be a list of events');
    return json.flatMap((event) => eventsOf(event, clock.now()));
  },
};

function eventsOf(event: unknown, now: Date): ProviderEvent[] {
  const address = textAt(event, 'email');
  const report = reportOf(event, timeOf(at(event, 'timestamp')) ?? now);
  if (!report || address === null) return [];
  const [id] = (textAt(event, 'sg_message_id') ?? '').split('.');
  return [{ address, returnPath: null, messageIds: textsOf(at(event, 'smtp-id')), providerId: id ?? null, report }];
}

function reportOf(event: unknown, time: Date): Report | null {
  const name = textAt(event, 'event');
  const detail = textAt(event, 'reason') ?? textAt(event, 'response') ?? '';
  const status = textAt(event, 'status') ?? '';
  const code = enhancedCodeIn(detail) ?? enhancedCodeIn(status);
  if (name === 'delivered') return { type: 'delivered', kind: null, code: null, detail, at: time };
  if (name === 'spamreport' || (name === 'dropped' && /^spam reporting/i.test(detail)))
    return { type: 'complained', kind: null, code: null, detail: detail || 'Reported as spam.', at: time };
  if (name === 'bounce') {
    const kind = judgedKind(textAt(event, 'type') === 'blocked' ? 'soft' : 'hard', code, detail);
    return { type: 'bounced', kind, code, detail: detail || name, at: time };
  }
  // The provider did not try to send it: the address bounced before, or is not valid.
  if (name === 'dropped' && /^(bounced address|invalid)/i.test(detail))
    return { type: 'bounced', kind: 'hard', code, detail, at: time };
  return null;
}
