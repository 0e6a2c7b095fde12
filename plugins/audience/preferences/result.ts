import type { AuditEntry } from '#core/kernel/context.js';
import type { Channel } from '../ports.js';
import type { ResolvedLink } from './resolve-link.js';

/** What a call changed on a channel. All empty or false when nothing changed. */
export interface ChannelResult {
  channel: Channel;
  /** Keys of topics. */
  granted: string[];
  revoked: string[];
  unsubscribedAll: boolean;
  lifted: boolean;
}

/** Whether a call changed anything on a channel. */
export const isChange = ({ granted, revoked, unsubscribedAll, lifted }: ChannelResult): boolean =>
  granted.length > 0 || revoked.length > 0 || unsubscribedAll || lifted;

const describeChanges = ({ channel, granted, revoked, unsubscribedAll, lifted }: ChannelResult): string[] =>
  [
    ...(unsubscribedAll ? ['unsubscribed from everything'] : []),
    ...(lifted ? ['allowed messages again'] : []),
    ...(granted.length > 0 ? [`subscribed to ${granted.join(', ')}`] : []),
    ...(revoked.length > 0 && !unsubscribedAll ? [`unsubscribed from ${revoked.join(', ')}`] : []),
  ].map((change) => `${change} on ${channel}`);

/** The audit entry of a call. It names topics, and of the person only the id. */
export function preferencesAuditEntry({ contact }: ResolvedLink, results: readonly ChannelResult[]): AuditEntry {
  const changes = results.flatMap(describeChanges);
  const summary =
    changes.length > 0 ? `The person ${changes.join('; ')}.` : 'The person’s preferences stay as they were.';
  return { subject: { type: 'contact', id: contact.id }, personId: contact.id, summary };
}
