import type { Report } from '../tables/report.js';
import { enhancedCodeIn, judgedKind, type BounceKind } from '../bounces/classify.js';
import type { ProviderAdapter, ProviderEvent } from './adapter.js';
import { requireSharedSecret } from './shared-secret.js';
import { textsOf, timeOf } from './values.js';
import { at, textAt } from '#core/runtime/json.js';

/**
 * The kind of each type of bounce. Types that are absent (Transient, AutoResponder, …) do not mean that mail bounced.
 */
const kinds: Readonly<Record<string, BounceKind>> = {
  HardBounce: 'hard',
  BadEmailAddress: 'hard',
  ManuallyDeactivated: 'hard',
  SoftBounce: 'soft',
  DnsError: 'soft',
  SpamNotification: 'soft',
  VirusNotification: 'soft',
  Blocked: 'soft',
  DMARCPolicy: 'soft',
  SMTPApiError: 'soft',
  Undeliverable: 'soft',
  Unknown: 'soft',
};

/** The metadata in which Postmark repeats our message id, see relayTracking in delivery/own-headers.ts. */
export const postmarkMetadata = 'svc-message-id';

/** Webhooks of Postmark: bounces, spam complaints, deliveries. They are not signed. */
export const postmark: ProviderAdapter = {
  name: 'Postmark',
  recognizes: ({ json }) => textAt(json, 'RecordType') !== null,
  read(call, services) {
    requireSharedSecret(call, services);
    const { json } = call;
    const report = reportOf(json, services.clock.now());
    const address = textAt(json, 'Email') ?? textAt(json, 'Recipient');
    if (!report || address === null) return [];
    const event: ProviderEvent = {
      address,
      returnPath: null,
      messageIds: textsOf(at(json, 'Metadata', postmarkMetadata)),
      providerId: textAt(json, 'MessageID'),
      report,
    };
    return [event];
  },
};

function reportOf(json: unknown, now: Date): Report | null {
  const [record, type] = [textAt(json, 'RecordType'), textAt(json, 'Type') ?? ''];
  const detail = textAt(json, 'Details') ?? textAt(json, 'Description') ?? '';
  const time = timeOf(at(json, 'BouncedAt')) ?? timeOf(at(json, 'DeliveredAt')) ?? now;
  if (record === 'Delivery') return { type: 'delivered', kind: null, code: null, detail, at: time };
  if (record === 'SpamComplaint' || type === 'SpamComplaint')
    return { type: 'complained', kind: null, code: null, detail: detail || 'Reported as spam.', at: time };
  const judged = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (record !== 'Bounce' || !judged) return null;
  const code = enhancedCodeIn(detail);
  return { type: 'bounced', kind: judgedKind(judged, code, detail), code, detail: detail || type, at: time };
}
