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
});
