import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { imported } from './support.js';

describe('audience.contact.import: CSV', () => {
  const platform = usePlatform();
  const columns = { Mail: 'email', Name: 'firstName', Value: 'properties.value' };

  it('reads comma, semicolon and tab, a byte order mark, quotes, and every kind of line end', async () => {
    const files = [
      'Mail,Name,Value\nann@example.com,"Ann, the ""first""",1\n',
      '\uFEFFMail;Name;Value\r\nann@example.com;"Ann, the ""first""";1\r\n',
      'Mail\tName\tValue\rann@example.com\t"Ann, the ""first"""\t1',
      '\uFEFF"Mail";"Name";"Value"\n\n\nann@example.com;"Ann, the ""first""";1\n\n',
      ' Value , Ignored, Mail ,Name\n 1 ,x, ann@example.com ,"Ann, the ""first"""\n',
    ];
    for (const csv of files) {
      const account = await platform.account();
      const { import: done, rejected } = await imported(platform, account, { csv, columns });
      expect(rejected, csv).to.deep.equal([]);
      expect(done, csv).to.include({ status: 'done', total: 1, created: 1 });
      const { contact } = await account.svc.call('audience.contact.get', { email: 'ann@example.com' });
      expect(contact, csv).to.deep.include({ firstName: 'Ann, the "first"', properties: { value: 1 } });
    }
  });

  it('makes booleans, numbers and moments of what is written as such, texts of the rest, and nothing of an empty cell', async () => {
    const account = await platform.account();
    const cells: [string, unknown][] = [
      ['true', true],
      ['false', false],
      ['TRUE', 'TRUE'],
      ['12', 12],
      ['-0.50', -0.5],
      ['01234', '01234'],
      ['1e5', '1e5'],
      ['+49151', '+49151'],
      ['0x10', '0x10'],
      ['12345678901234567890', '12345678901234567890'],
      ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z'],
      ['null', 'null'],
      ['=1+1', '=1+1'],
      ['Zürich 🚲', 'Zürich 🚲'],
      ['', undefined],
      ['   ', undefined],
    ];
    const lines = cells.map(([cell], index) => `c${index},${cell}`);
    const { import: done } = await imported(platform, account, {
      csv: ['Id,Value', ...lines].join('\n'),
      columns: { Id: 'externalId', Value: 'properties.value' },
    });
    expect(done.created).to.equal(cells.length);
    for (const [index, [cell, expected]] of cells.entries()) {
      const { contact } = await account.svc.call('audience.contact.get', { externalId: `c${index}` });
      expect(contact.properties['value'], cell).to.equal(expected);
    }
  });

  it('keeps identifiers as texts, whatever they look like', async () => {
    const account = await platform.account();
    await imported(platform, account, {
      csv: 'Id,First\n00042,true\n',
      columns: { Id: 'externalId', First: 'firstName' },
    });
    const { contact } = await account.svc.call('audience.contact.get', { externalId: '00042' });
    expect(contact.firstName).to.equal('true');
  });

  it('refuses ragged rows one by one, by their number, and reads on', async () => {
    const account = await platform.account();
    const { import: done, rejected } = await imported(platform, account, {
      csv: 'Mail,Name,Value\na@example.com,A\nb@example.com,B,1\n\nc@example.com,C,1,2\n,,\nd@exa"mple.com,D,1\ne@example.com,E,1',
      columns,
    });
    expect(done).to.include({ total: 6, created: 2, rejected: 4 });
    expect(rejected.map(({ row, message }) => `${row} ${message}`)).to.deep.equal([
      '1 The field row has 2 cells where the header line has 3.',
      '3 The field row has 4 cells where the header line has 3.',
      '4 The field email is missing: send at least one of email, phone, externalId.',
      '5 The field email must be one email address such as ada@example.com.',
    ]);
  });

  it('refuses a file that cannot be read on from a quote that never closes', async () => {
    const { svc } = await platform.account();
    const before = await platform.count('audience_import');
    const csv = 'Mail,Name,Value\na@example.com,"A,1\nb@example.com,B,1\n';
    const refused = await svc.refusal('audience.contact.import', { csv, columns });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.message).to.equal('The field csv opens a quote that it never closes.');
    expect(await platform.count('audience_import')).to.equal(before);
  });

  it('refuses columns that mean nothing, naming the column', async () => {
    const { svc } = await platform.account();
    const csv = 'Mail,Name,Name\na@example.com,A,B';
    const wrong: [Record<string, unknown>, string][] = [
      [{}, 'columns'],
      [{ Name: 'firstName' }, 'columns'],
      [{ Mail: 'address' }, 'columns.Mail'],
      [{ Mail: 'consents' }, 'columns.Mail'],
      [{ Mail: 'properties.' }, 'columns.Mail'],
      [{ Mail: `properties.${'x'.repeat(101)}` }, 'columns.Mail'],
      [{ Mail: 'properties.__proto__' }, 'columns.Mail'],
      [{ Mail: 'toString' }, 'columns.Mail'],
      [{ Mail: 'email', Absent: 'firstName' }, 'columns.Absent'],
      [{ Mail: 'email', Name: 'firstName' }, 'columns.Name'],
      [{ Mail: 'email', ' Mail': 'firstName' }, 'columns. Mail'],
      [{ Mail: 'email', Name: 'email' }, 'columns.Name'],
      [{ Mail: 1 }, 'columns.Mail'],
    ];
    for (const [given, field] of wrong) {
      const refused = await svc.refusal('audience.contact.import', { csv, columns: given });
      expect(refused, JSON.stringify(given)).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details, JSON.stringify(given)).to.deep.equal({ field });
    }
  });

  it('reads cells that lie across the pieces in which a long file is parsed', async () => {
    const account = await platform.account();
    // Three octets a character: pieces of 64 KiB end within one.
    const lines = Array.from({ length: 300 }, (_, index) => `p${index},"${'語'.repeat(100 + (index % 7))}\n,${index}"`);
    const { import: done } = await imported(platform, account, {
      csv: ['Id,Text', ...lines].join('\r\n'),
      columns: { Id: 'externalId', Text: 'properties.text' },
    });
    expect(done).to.include({ total: 300, created: 300 });
    for (const index of [0, 149, 150, 151, 299]) {
      const { contact } = await account.svc.call('audience.contact.get', { externalId: `p${index}` });
      expect(contact.properties['text']).to.equal(`${'語'.repeat(100 + (index % 7))}\n,${index}`);
    }
  });
});
