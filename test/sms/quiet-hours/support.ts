import { minutes } from '#test/support/clock.js';
import type { TestPlatform } from '#test/support/platform.js';

/** A clock of a zone as hh:mm. */
const clockOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

/** Quiet hours that began an hour ago and end in two hours, by the clock of a zone. */
export const quietNow = (
  { clock }: Pick<TestPlatform, 'clock'>,
  zone: string,
): { enabled: true; from: string; to: string } => {
  const now = clock.now().getTime();
  return {
    enabled: true,
    from: clockOf(new Date(now - minutes(60)), zone),
    to: clockOf(new Date(now + minutes(120)), zone),
  };
};
