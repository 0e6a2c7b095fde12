import type { Report } from '../tables/report.js';
import { enhancedCodeIn, judgedKind } from '../bounces/classify.js';
import type { ProviderAdapter, ProviderEvent } from './adapter.js';
import { requireSharedSecret } from './shared-secret.js';
import { textsOf, timeOf } from './values.js';
import { at, textAt } from '#core/runtime/json.js';

/** The report of each event. Others (request, deferred, opened, …) report nothing that is recorded. */
const reported: Readonly<Record<string, Pick<Report, 'type' | 'kind'>>> = {
  delivered: { type: 'delivered', kind: null },
  hard_bounce: { type: 'bounced', kind: 'hard' },
  invalid_email: { type: 'bounced', kind: 'hard' },
  soft_bounce: { type: 'bounced', kind: 'soft' },
  blocked: { type: 'bounced', kind: 'soft' },
  error: { type: 'bounced', kind: 'soft' },
  spam: { type: 'complained', kind: null },
  complaint: { type: 'complained', kind: null },
};

/** The header in which Brevo repeats our message id, see relayTracking in delivery/own-headers.ts. */
export const brevoHeader = 'X-Mailin-custom';

const itemsOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : [json]);

/** Webhooks of Brevo's transactional mail, one event or a batch of them. They are not signed. */
export const brevo: ProviderAdapter = {
  name: 'Brevo',
  recognizes({ json }) {
    const [first] = itemsOf(json);
    return textAt(first, 'event') !== null && textAt(first, 'message-id') !== null;
  },
  read(call, services) {
    requireSharedSecret(call, services);
    return itemsOf(call.json).flatMap((item) => eventsOf(item, services.clock.now()));
  },
};

function eventsOf(item: unknown, now: Date): ProviderEvent[] {
  const name = textAt(item, 'event') ?? '';
  const what = Object.hasOwn(reported, name) ? reported[name] : undefined;
  const address = textAt(item, 'email');
  if (!what || address === null) return [];
  const detail = textAt(item, 'reason') ?? '';
  const code = enhancedCodeIn(detail);
  const kind = what.kind === null ? null : judgedKind(what.kind, code, detail);
  const epoch = at(item, 'ts_epoch');
  const time = (typeof epoch === 'number' ? timeOf(epoch / 1_000) : timeOf(at(item, 'ts_event'))) ?? now;
  const id = textAt(item, 'message-id');
  return [
    {
      address,
      returnPath: null,
      messageIds: textsOf(at(item, brevoHeader), id),
      providerId: id,
      report: { ...what, kind, code, detail: detail || name, at: time },
    },
  ];
}
