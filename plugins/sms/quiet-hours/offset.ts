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
export function offsetAt(at: Date, zone: string): number {
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return Math.round(local / 60_000) - Math.floor(at.getTime() / 60_000);
}
