import type { AuditEntry, Change } from '#core/kernel/context.js';
import type { Channel } from '../ports.js';
import type { ResolvedLink } from './token.js';

/** What a call changed on a channel. All empty or false if nothing changed. */
export interface ChannelResult {
  channel: Channel;
  /** Keys of topics. */
  granted: string[];
  revoked: string[];
  unsubscribedAll: boolean;
  lifted: boolean;
  /** The changes of consent, for the audit record. */
  consents: Change[];
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

const channelChanges = ({ channel, unsubscribedAll, lifted, consents }: ChannelResult): Change[] => [
  ...(unsubscribedAll || lifted ? [{ field: `unsubscribedAll.${channel}`, from: lifted, to: unsubscribedAll }] : []),
  ...consents,
];

/** The audit entry of a call. It contains the names of topics, and only the id of the person. */
export function preferencesAuditEntry({ contact }: ResolvedLink, results: readonly ChannelResult[]): AuditEntry {
  return {
    subject: { type: 'contact', id: contact.id },
    personId: contact.id,
    summary: `The person ${results.flatMap(describeChanges).join('; ')}.`,
    changes: results.some(isChange) ? results.flatMap(channelChanges) : [],
    unchanged: 'the person’s preferences already had these values.',
  };
}
