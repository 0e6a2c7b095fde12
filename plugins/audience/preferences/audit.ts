import type { AuditEntry } from '#core/kernel/context.js';
import type { NewEvent } from '#core/kernel/events/declare.js';
import type { Channel } from '../ports.js';
import type { Changed } from './unsubscribe.js';
import type { Holder } from './resolve-link.js';
import type { PreferencesValue } from './present.js';

/** Did a person's call change anything? */
export const isChange = ({ granted, revoked, ended, lifted }: Changed): boolean =>
  granted.length > 0 || revoked.length > 0 || ended || lifted;

const words = ({ granted, revoked, ended, lifted }: Changed): string[] => [
  ...(ended ? ['ended everything'] : []),
  ...(lifted ? ['allowed messages again'] : []),
  ...(granted.length > 0 ? [`subscribed to ${granted.join(', ')}`] : []),
  ...(revoked.length > 0 && !ended ? [`unsubscribed from ${revoked.join(', ')}`] : []),
];

/** What the audit record says of a person's call: which topics, and nothing of the person but their id. */
export function preferencesNote(
  { contact }: Holder,
  changes: readonly { channel: Channel; changed: Changed }[],
  how = '',
): AuditEntry {
  const said = changes.flatMap(({ channel, changed }) => words(changed).map((each) => `${each} on ${channel}`));
  const summary =
    said.length > 0 ? `The person ${said.join('; ')}${how}.` : `The person’s preferences${how} stay as they were.`;
  return { subject: { type: 'contact', id: contact.id }, personId: contact.id, summary };
}

/** The event of a call that changed something. */
export const preferencesNews = (
  { contact }: Holder,
  preferences: PreferencesValue,
): NewEvent<{ contactId: string; preferences: PreferencesValue }> => ({
  subjectId: contact.id,
  personId: contact.id,
  data: { contactId: contact.id, preferences },
});
