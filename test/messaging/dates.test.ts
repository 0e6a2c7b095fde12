import { expect } from 'chai';
import { renderTemplate } from '#core/messaging/templates/liquid.js';

const written = (source: string, locale?: string): string => {
  const variables = { day: '2026-12-24', at: '2026-12-31T23:30:00Z', leap: '2028-02-29T00:15:00+01:00', zone: null };
  const rendered = renderTemplate(source, variables, 'none', { locale });
  return rendered.ok ? rendered.text : JSON.stringify(rendered);
};

describe('Dates in templates', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  for (const machine of ['America/New_York', 'Pacific/Auckland', 'UTC'])
    it(`are written in UTC on a machine in ${machine}`, () => {
      process.env['TZ'] = machine;
      expect(written('{{ day | date: "%d.%m.%Y" }}')).to.equal('24.12.2026');
      expect(written('{{ at | date: "%Y-%m-%d %H:%M" }}')).to.equal('2026-12-31 23:30');
      expect(written('{{ leap | date: "%Y-%m-%d %H:%M" }}')).to.equal('2028-02-28 23:15');
      expect(written('{{ at | date_to_long_string }}')).to.equal('31 December 2026');
      expect(written('{{ at | date: "%H:%M", zone }}')).to.equal('23:30');
    });

  it('are written in the zone that the filter names', () => {
    expect(written('{{ at | date: "%Y-%m-%d %H:%M", "Europe/Berlin" }}')).to.equal('2027-01-01 00:30');
    expect(written('{{ at | date: "%Y-%m-%d %H:%M", "America/New_York" }}')).to.equal('2026-12-31 18:30');
  });

  it('have the names of months and days in the language of the text', () => {
    expect(written('{{ at | date: "%A, %d. %B" }}')).to.equal('Thursday, 31. December');
    expect(written('{{ at | date: "%A, %d. %B" }}', 'de-AT')).to.equal('Donnerstag, 31. Dezember');
    expect(written('{{ at | date: "%A %d %B" }}', 'fr')).to.equal('jeudi 31 décembre');
  });

  it('are written in every format of Ruby’s strftime', () => {
    const at = (format: string, day = '2026-03-05T08:05:09Z', zone = ''): string => {
      const rendered = renderTemplate(`{{ day | date: "${format}"${zone} }}`, { day }, 'none');
      return rendered.ok ? rendered.text : JSON.stringify(rendered);
    };
    for (const [format, text] of [
      ['%F', '2026-03-05'],
      ['%T', '08:05:09'],
      ['%R', '08:05'],
      ['%D', '03/05/26'],
      ['%r', '08:05:09 AM'],
      ['%v', ' 5-MAR-2026'],
      ['%x %X', '03/05/26 08:05:09'],
      ['%c', 'Thu Mar  5 08:05:09 2026'],
      ['%V', '10'],
      ['%G', '2026'],
      ['%g', '26'],
      ['%Z', 'UTC'],
      ['%FT%T%:z', '2026-03-05T08:05:09+00:00'],
      ['%%F %Q', '%F %Q'],
    ] as const)
      expect(at(format), format).to.equal(text);
    expect(at('%G-W%V-%u', '2027-01-01')).to.equal('2026-W53-5');
    expect(at('%-V', '2026-01-08')).to.equal('2');
    expect(at('%F %R', '2026-12-31T23:30:00Z', ', "Europe/Berlin"')).to.equal('2027-01-01 00:30');
    expect(at('%F', 'not a date')).to.equal('not a date');
  });
});
