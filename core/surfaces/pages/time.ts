import { html, type Markup } from './html.js';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time was: `just now`, `5 min. ago`, `yesterday`. */
export function timeAgo(at: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - at.getTime()) / 1000);
  const unit = units.find(([, length]) => seconds >= length);
  return unit ? relative.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now';
}

const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** A time to the second, in UTC. */
export const exactTime = (at: Date): string => `${absolute.format(at)} UTC`;

/** A relative time, which the list's script keeps up to date, with the exact one as its tooltip. */
export const ago = (at: Date): Markup =>
  html`<time datetime=${at.toISOString()} title=${exactTime(at)}>${timeAgo(at, new Date())}</time>`;
