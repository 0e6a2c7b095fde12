import { channels, type Channel } from '../../ports.js';
import type { Holder } from '../../preferences/resolve-link.js';
import { addressOn, type PreferencesValue } from '../../preferences/present.js';
import type { Outcome } from './words.js';

/** What the page's forms hold: which button was pressed, and by channel which topics are ticked and how the page had shown them. */
export const fields = {
  act: 'do',
  ticked: (channel: Channel): string => channel,
  shown: (channel: Channel, subscribed: boolean): string => `${channel}.${subscribed ? 'on' : 'off'}`,
} as const;

export const acts = {
  save: 'save',
  leave: 'leave',
  end: 'end',
  endOn: (channel: Channel): string => `end:${channel}`,
  againOn: (channel: Channel): string => `again:${channel}`,
} as const;

/** The fields of audience.preferences.set beside the token. */
export type Changes = Partial<Record<Channel, { topics?: Record<string, boolean>; unsubscribeAll?: boolean }>>;

/** Is this a mail program's request for the person, with no page before it (RFC 8058 §3.1)? */
export const isOneClick = (form: URLSearchParams): boolean =>
  form.get('List-Unsubscribe')?.trim().toLowerCase() === 'one-click';

/** The channels that a person has an address on. */
export const reachableOn = (holder: Pick<Holder, 'contact'>): Channel[] =>
  channels.filter((channel) => addressOn(holder, channel) !== null);

/**
 * What a submitted form asks for; null where it is none of ours. Ticks count where they differ from what the page had shown: a page
 * that was left open must not bring back what was ended meanwhile.
 */
export function asked(form: URLSearchParams, holder: Holder): { outcome: Outcome; changes: Changes } | null {
  const act = form.get(fields.act);
  const on = channels.find((channel) => act === acts.endOn(channel) || act === acts.againOn(channel));
  if (on) {
    const ends = act === acts.endOn(on);
    return { outcome: ends ? 'ended' : 'again', changes: { [on]: { unsubscribeAll: ends } } };
  }
  if (act === acts.end)
    return { outcome: 'ended', changes: forEach(reachableOn(holder), () => ({ unsubscribeAll: true })) };
  if (act === acts.leave && typeof holder.message?.topic === 'string') {
    const { channel, topic } = holder.message;
    return { outcome: 'left', changes: { [channel]: { topics: { [topic]: false } } } };
  }
  if (act !== acts.save) return null;
  const differing = channels.filter((channel) => Object.keys(differences(form, channel)).length > 0);
  return { outcome: 'saved', changes: forEach(differing, (channel) => ({ topics: differences(form, channel) })) };
}

const forEach = <V>(some: readonly Channel[], make: (channel: Channel) => V): Partial<Record<Channel, V>> =>
  Object.fromEntries(some.map((channel) => [channel, make(channel)]));

function differences(form: URLSearchParams, channel: Channel): Record<string, boolean> {
  const ticked = new Set(form.getAll(fields.ticked(channel)));
  const ended = form.getAll(fields.shown(channel, true)).filter((key) => !ticked.has(key));
  const begun = form.getAll(fields.shown(channel, false)).filter((key) => ticked.has(key));
  return Object.fromEntries([
    ...ended.map((key) => [key, false] as const),
    ...begun.map((key) => [key, true] as const),
  ]);
}

/** An address as its owner knows it and others do not: links are forwarded. */
export function masked({ email, phone }: Pick<PreferencesValue, 'email' | 'phone'>, channel: Channel): string {
  if (channel === 'sms') return phone === null ? '' : `${phone.slice(0, 3)}•••${phone.slice(-2)}`;
  const at = email?.lastIndexOf('@') ?? -1;
  const [first = ''] = email ?? '';
  return email === null ? '' : `${first}•••${email.slice(at)}`;
}
