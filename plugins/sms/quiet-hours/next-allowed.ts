import { dayMs, hourMs, minuteMs } from '#core/runtime/clock.js';
/**
 * Daily hours in which texts wait, by a clock: from `from`, up to and not including `to`, both `hh:mm`. They span
 * midnight if `from` is later.
 */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

const dayMinutes = 1_440;
/** Zones that have no common hour within this time have none at all. */
const horizonMs = 8 * dayMs;
/** The next change of an offset matters only if it comes before quiet hours end, which is within a day. */
const lookAheadMs = 36 * hourMs;

/** The minutes since midnight of `hh:mm`. */
const minutesOf = (clock: string): number => {
  const [hours, minutes] = clock.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};

const modulo = (value: number, size: number): number => ((value % size) + size) % size;

/** Whole minutes since midnight, if a zone is `offset` minutes ahead of UTC. */
const minuteOfDay = (at: number, offset: number): number => modulo(Math.floor(at / minuteMs) + offset, dayMinutes);

/** Quiet hours do not apply if `from` and `to` are the same. */
function isQuietMinute(minute: number, { from, to }: QuietHours): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  return begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

/** The first time, starting at `at`, that is not quiet, if the offset does not change. */
function nextAtOffset(at: number, offset: number, hours: QuietHours): number {
  const minute = minuteOfDay(at, offset);
  if (!isQuietMinute(minute, hours)) return at;
  const wait = modulo(minutesOf(hours.to) - minute, dayMinutes);
  return (Math.floor(at / minuteMs) + wait) * minuteMs;
}

/** The first minute after `from`, up to `to`, in which a zone no longer has the offset that it has at `from`. */
function changeOfOffset(from: number, to: number, zone: string): number {
  const offset = offsetAt(new Date(from), zone);
  let [before, after] = [Math.floor(from / minuteMs), Math.ceil(to / minuteMs)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(new Date(middle * minuteMs), zone) === offset) before = middle;
    else after = middle;
  }
  return after * minuteMs;
}

function nextInZone(at: number, hours: QuietHours, zone: string): number {
  const offset = offsetAt(new Date(at), zone);
  const found = nextAtOffset(at, offset, hours);
  if (found === at) return at;
  const later = offsetAt(new Date(at + lookAheadMs), zone);
  if (later === offset) return found;
  const change = changeOfOffset(at, at + lookAheadMs, zone);
  return found < change ? found : nextAtOffset(change, later, hours);
}

/**
 * The first time at which a text may be sent.
 * @param zones IANA names; it is quiet if it is quiet in any of them
 * @returns `at` itself if it is not quiet; null if the zones have no hour in common that is not quiet
 */
export function nextAllowed(at: Date, hours: QuietHours, zones: readonly string[]): Date | null {
  const begin = at.getTime();
  let time = begin;
  while (time - begin <= horizonMs) {
    const next = Math.max(time, ...zones.map((zone) => nextInZone(time, hours, zone)));
    if (next === time) return new Date(time);
    time = next;
  }
  return null;
}

/** Creating a formatter takes longer than using it a thousand times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}

/** Minutes that a zone is ahead of UTC at a time. @param zone an IANA name @throws RangeError for an unknown one */
function offsetAt(at: Date, zone: string): number {
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return Math.round(local / 60_000) - Math.floor(at.getTime() / 60_000);
}
