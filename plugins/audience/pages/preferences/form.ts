import { channels } from '../../channels.js';
import type { Channel } from '../../ports.js';
import { addressOn } from '../../preferences/present.js';
import type { ResolvedLink } from '../../preferences/token.js';
import type { Outcome } from './texts.js';

/**
 * Form fields: the button that was pressed, and, by channel, the ticked topics and which topics the page had shown as
 * ticked or not.
 */
export const fields = {
  action: 'do',
  ticked: (channel: Channel): string => channel,
  shown: (channel: Channel, subscribed: boolean): string => `${channel}.${subscribed ? 'on' : 'off'}`,
} as const;

/** Values of the buttons. */
export const actions = {
  save: 'save',
  unsubscribeTopic: 'unsubscribe-topic',
  unsubscribeAll: 'unsubscribe',
  unsubscribe: (channel: Channel): string => `unsubscribe:${channel}`,
  allow: (channel: Channel): string => `allow:${channel}`,
} as const;

/** The input of audience.preferences.set without the token. */
export type Changes = Partial<Record<Channel, { topics?: Record<string, boolean>; unsubscribeAll?: boolean }>>;

/** Whether a form is a one-click unsubscribe, which a mail program sends without showing the page (RFC 8058 §3.1). */
export const isOneClick = (form: URLSearchParams): boolean =>
  form.get('List-Unsubscribe')?.trim().toLowerCase() === 'one-click';

/** The changes that one-click unsubscribe makes: the topic of the message, or everything if there is none. */
export function oneClickChanges(link: Pick<ResolvedLink, 'message'> | null): Changes {
  // The header is sent in mail only, so a link without a message unsubscribes from mail.
  const { channel, topic } = link?.message ?? { channel: 'email', topic: null };
  return { [channel]: topic === null ? { unsubscribeAll: true } : { topics: { [topic]: false } } };
}

/** The channels on which the contact has an address, or that of an address which nobody has. */
export const channelsWithAddress = (link: Pick<ResolvedLink, 'contact' | 'nobody'>): Channel[] =>
  channels.filter((channel) => addressOn(link, channel) !== null || link.nobody?.channel === channel);

/**
 * The changes that a submitted form requests; null if it is not a form of this page. A tick counts only if it differs
 * from what the page had shown, so that a page left open does not undo later changes.
 */
export function changesOf(form: URLSearchParams, link: ResolvedLink): { outcome: Outcome; changes: Changes } | null {
  const action = form.get(fields.action);
  for (const channel of channels) {
    if (action === actions.unsubscribe(channel))
      return { outcome: 'unsubscribed', changes: { [channel]: { unsubscribeAll: true } } };
    if (action === actions.allow(channel))
      return { outcome: 'allowed', changes: { [channel]: { unsubscribeAll: false } } };
  }
  if (action === actions.unsubscribeAll)
    return { outcome: 'unsubscribed', changes: forEach(channelsWithAddress(link), () => ({ unsubscribeAll: true })) };
  if (action === actions.unsubscribeTopic && typeof link.message?.topic === 'string') {
    const { channel, topic } = link.message;
    return { outcome: 'unsubscribedTopic', changes: { [channel]: { topics: { [topic]: false } } } };
  }
  if (action !== actions.save) return null;
  const changed = channels.filter((channel) => Object.keys(changedTicks(form, channel)).length > 0);
  return { outcome: 'saved', changes: forEach(changed, (channel) => ({ topics: changedTicks(form, channel) })) };
}

const forEach = <V>(some: readonly Channel[], make: (channel: Channel) => V): Partial<Record<Channel, V>> =>
  Object.fromEntries(some.map((channel) => [channel, make(channel)]));

function changedTicks(form: URLSearchParams, channel: Channel): Record<string, boolean> {
  const ticked = new Set(form.getAll(fields.ticked(channel)));
  const removed = form.getAll(fields.shown(channel, true)).filter((key) => !ticked.has(key));
  const added = form.getAll(fields.shown(channel, false)).filter((key) => ticked.has(key));
  return Object.fromEntries([
    ...removed.map((key) => [key, false] as const),
    ...added.map((key) => [key, true] as const),
  ]);
}
