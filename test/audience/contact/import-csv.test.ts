import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { runImport } from './support.js';

describe('audience.contact.import: CSV', () => {
  const platform = usePlatform();
  const columns = { Mail: 'email', Name: 'firstName', Value: 'properties.value' };

  it('reads comma, semicolon, tab and pipe, a sep= line, a byte order mark, quotes, and every kind of line end', async () => {
    const files = [
      'Mail,Name,Value\nann@example.com,"Ann, the ""first""",1\n',
      '\uFEFFMail;Name;Value\r\nann@example.com;"Ann, the ""first""";1\r\n',
      'Mail\tName\tValue\rann@example.com\t"Ann, the ""first"""\t1',
      'Mail|Name|Value\nann@example.com|"Ann, the ""first"""|1\n',
      'sep=;\r\nMail;Name;Value\r\nann@example.com;"Ann, the ""first""";1\r\n',
      '\uFEFFsep=\t\nMail\tName\tValue\nann@example.com\t"Ann, the ""first"""\t1\n',
      '\uFEFF"Mail";"Name";"Value"\n\n\nann@example.com;"Ann, the ""first""";1\n\n',
      ' Value , Ignored, Mail ,Name\n 1 ,x, ann@example.com ,"Ann, the ""first"""\n',
    ];
    for (const csv of files) {
      const account = await platform.account();
      const { import: done, rejected } = await runImport(platform, account, { csv, columns });
      expect(rejected, csv).to.deep.equal([]);
      expect(done, csv).to.include({ status: 'done', total: 1, created: 1 });
      const { contact } = await account.svc.call('audience.contact.get', { email: 'ann@example.com' });
      expect(contact, csv).to.deep.include({ firstName: 'Ann, the "first"', properties: { value: 1 } });
    }
  });

  it('names the columns that it does not import', async () => {
    const { svc } = await platform.account();
    const csv = 'Mail,Phone,Name,Note\nann@example.com,,Ann,x\n';
    const some = await svc.call('audience.contact.import', { csv, columns: { Mail: 'email', Name: 'firstName' } });
    expect(some.ignoredColumns).to.deep.equal(['Phone', 'Note']);
    const rows = await svc.call('audience.contact.import', { contacts: [{ email: 'bob@example.com' }] });
    expect(rows.ignoredColumns).to.deep.equal([]);
  });

  it('types a column as numbers or booleans if all cells are, as texts otherwise, and ignores empty cells', async () => {
    const account = await platform.account();
    const columnsOf: Record<string, [cells: string[], values: unknown[]]> = {
      zip: [
        ['10115', '01067', '', '80331'],
        ['10115', '01067', undefined, '80331'],
      ],
      orders: [
        ['12', '-0.5', '   ', '0'],
        [12, -0.5, undefined, 0],
      ],
      version: [
        ['1.10', '1.9', '', '2'],
        ['1.10', '1.9', undefined, '2'],
      ],
      article: [
        ['"10115"', '80331', '', '"01067"'],
        ['10115', '80331', undefined, '01067'],
      ],
      quoted: [
        ['"true"', 'FALSE', '', '"true"'],
        [true, false, undefined, true],
      ],
      vip: [
        ['true', 'FALSE', '', 'True'],
        [true, false, undefined, true],
      ],
      mixed: [
        ['true', '1', '', '0'],
        ['true', '1', undefined, '0'],
      ],
      exact: [
        ['123456789012345', '1', '', '2'],
        [123456789012345, 1, undefined, 2],
      ],
      long: [
        ['12345678901234567890', '1', '', '2'],
        ['12345678901234567890', '1', undefined, '2'],
      ],
      written: [
        ['1e5', '+49151', '0x10', '1'],
        ['1e5', '+49151', '0x10', '1'],
      ],
      seen: [
        ['2026-01-31T09:30:00Z', 'null', '=1+1', 'Zürich 🚲'],
        ['2026-01-31T09:30:00Z', 'null', '=1+1', 'Zürich 🚲'],
      ],
      none: [
        ['', '', '', ''],
        [undefined, undefined, undefined, undefined],
      ],
    };
    const names = Object.keys(columnsOf);
    const lines = [0, 1, 2, 3].map((row) => [`c${row}`, ...names.map((name) => columnsOf[name]?.[0][row])].join(','));
    const { import: done } = await runImport(platform, account, {
      // Rejected rows do not count for the type.
      csv: [['Id', ...names].join(','), ...lines, `x,${names.map(() => 'a').join(',')},a`].join('\n'),
      columns: { Id: 'externalId', ...Object.fromEntries(names.map((name) => [name, `properties.${name}`])) },
    });
    expect(done).to.include({ created: 4, rejected: 1 });
    for (const row of [0, 1, 2, 3]) {
      const { contact } = await account.svc.call('audience.contact.get', { externalId: `c${row}` });
      for (const name of names) expect(contact.properties[name], `${name} ${row}`).to.equal(columnsOf[name]?.[1][row]);
    }
  });

  it('considers every row for a column’s type, including the last', async () => {
    const account = await platform.account();
    const lines = Array.from({ length: 1200 }, (_, index) => `p${index},${10_000 + index}`);
    await runImport(platform, account, {
      csv: ['Id,Zip', ...lines, 'last,01067'].join('\n'),
      columns: { Id: 'externalId', Zip: 'properties.zip' },
    });
    const { contact } = await account.svc.call('audience.contact.get', { externalId: 'p0' });
    expect(contact.properties).to.deep.equal({ zip: '10000' });
  });

  it('lists at most ten columns of the header, and none if it holds personal data', async () => {
    const { svc } = await platform.account();
    const refusal = async (csv: string): Promise<string> =>
      (await svc.refusal('audience.contact.import', { csv, columns: { email: 'email' } })).message;
    expect(await refusal('Email;Name\na@example.com;A')).to.equal(
      'The field “columns.email” is not in the header line, which contains Email, Name.',
    );
    const many = Array.from({ length: 13 }, (_, index) => `c${index}`);
    expect(await refusal(`${'x'.repeat(50)},${many.join(',')}\n`)).to.equal(
      `The field “columns.email” is not in the header line, which contains ${'x'.repeat(40)}…, c0, c1, c2, c3, c4, c5, c6, c7, c8 and 4 more.`,
    );
    for (const person of ['ada@example.com,Ada', 'Ada,+49 151 234567'])
      expect(await refusal(`${person}\n`)).to.equal(
        'The field “columns.email” is not in the header line: the first line must contain the column names.',
      );
  });

  it('keeps identifiers as texts', async () => {
    const account = await platform.account();
    await runImport(platform, account, {
      csv: 'Id,First\n00042,true\n',
      columns: { Id: 'externalId', First: 'firstName' },
    });
    const { contact } = await account.svc.call('audience.contact.get', { externalId: '00042' });
    expect(contact.firstName).to.equal('true');
  });

  it('rejects rows of the wrong length one by one and continues', async () => {
    const account = await platform.account();
    const { import: done, rejected } = await runImport(platform, account, {
      csv: 'Mail,Name,Value\na@example.com,A,1,,\nb@example.com,B,1\n\nc@example.com,C,1,2\n,,\nd@exa"mple.com,D,1\ne@example.com,E,1',
      columns,
    });
    expect(done).to.include({ total: 6, created: 2, rejected: 4 });
    expect(rejected.map(({ row, message }) => `${row} ${message}`)).to.deep.equal([
      '1 The field “row” has 5 cells, but the header line has 3.',
      '3 The field “row” has 4 cells, but the header line has 3.',
      '4 The field “email” is missing: send at least one of email, phone, externalId.',
      '5 The field “email” is not a valid address: the part after the @ is not a domain.',
    ]);
  });

  it('loses no row to a quote that begins a cell and is not closed: every line is imported or rejected', async () => {
    const people = (from: number, to: number): string[] =>
      Array.from({ length: to - from + 1 }, (_, index) => `p${from + index}@example.com,P,1`);
    for (const [what, opening, closing, rejected] of [
      ['a quote within a later cell', 'q1@example.com,"Q one,1', 'q2@example.com,"Q" two,1', 1],
      ['a later cell in quotes', 'q1@example.com,"Q one,1', 'q2@example.com,"Q two",1', 1],
      ['a quote before a line end', 'q1@example.com,"Q one,1', 'q2@example.com,Q two,1"', 1],
      ['another stray quote', 'q1@example.com,"Q one,1', 'q2@example.com,"Q two,1\nq3@example.com,Q "x" three,1', 2],
    ] as const) {
      const account = await platform.account();
      const lines = [...people(1, 5), opening, ...people(6, 10), closing, ...people(11, 15)];
      const total = lines.join('\n').split('\n').length;
      const done = await runImport(platform, account, { csv: ['Mail,Name,Value', ...lines].join('\n'), columns });
      expect(done.import, what).to.include({ total, created: total - rejected, rejected });
      expect(done.rejected[0], what).to.deep.include({ row: 6 });
      expect(done.rejected[0]?.message, what).to.contain('begins a cell with a quote that is not closed');
      for (const email of ['p5@example.com', 'p6@example.com', 'p10@example.com', 'p15@example.com'])
        expect((await account.svc.call('audience.contact.get', { email })).contact.firstName, what).to.equal('P');
    }
  });

  it('reads cells of several lines, also those that hold quotes and delimiters', async () => {
    const account = await platform.account();
    const csv = 'Mail,Name,Value\r\na@example.com,"""A"",\r\nof, ""B""",1\r\nb@example.com,"line\n\nline",2\r\n';
    const { import: done } = await runImport(platform, account, {
      csv,
      columns: { ...columns, Name: 'properties.name' },
    });
    expect(done).to.include({ total: 2, created: 2 });
    const nameOf = async (email: string): Promise<unknown> =>
      (await account.svc.call('audience.contact.get', { email })).contact.properties['name'];
    expect(await nameOf('a@example.com')).to.equal('"A",\r\nof, "B"');
    expect(await nameOf('b@example.com')).to.equal('line\n\nline');
  });

  it('reads rows without their empty cells at the end, also with a cell of several lines', async () => {
    const account = await platform.account();
    const csv =
      'Mail,Name,Value\r\na@example.com,A,1\r\nb@example.com,B\r\nc@example.com\r\nd@example.com,"D,\r\nd"\r\n' +
      'e@example.com,E,5\r\n';
    const { import: done, rejected } = await runImport(platform, account, {
      csv,
      columns: { ...columns, Name: 'properties.name' },
    });
    expect(rejected).to.deep.equal([]);
    expect(done).to.include({ total: 5, created: 5 });
    const nameOf = async (email: string): Promise<unknown> =>
      (await account.svc.call('audience.contact.get', { email })).contact.properties['name'];
    expect(await nameOf('b@example.com')).to.equal('B');
    expect(await nameOf('c@example.com')).to.equal(undefined);
    expect(await nameOf('d@example.com')).to.equal('D,\r\nd');
    const { contact } = await account.svc.call('audience.contact.get', { email: 'e@example.com' });
    expect(Object.values(contact.properties)).to.include(5);
  });

  it('reads files with several kinds of line ends', async () => {
    for (const [first, inside, last] of [
      ['\r\n', '\r\n', '\n'],
      ['\n', '\r\n', '\r\n'],
      ['\r\n', '\n', '\r'],
      ['\r', '\n', '\n'],
    ] as const) {
      const account = await platform.account();
      const csv =
        `Mail;Name${first}m1@example.com;Ida${first}m2@example.com;"Ada Byron${inside}Office"${last}` +
        `m3@example.com;Bob${last}m4@example.com;"Eve"${first}`;
      const { import: done, rejected } = await runImport(platform, account, {
        csv,
        columns: { Mail: 'email', Name: 'properties.name' },
      });
      expect(rejected).to.deep.equal([]);
      expect(done).to.include({ total: 4, created: 4 });
      const nameOf = async (email: string): Promise<unknown> =>
        (await account.svc.call('audience.contact.get', { email })).contact.properties['name'];
      expect(await nameOf('m2@example.com')).to.equal(`Ada Byron${inside}Office`);
      expect(await nameOf('m4@example.com')).to.equal('Eve');
    }
  });

  it('reads a cell with very many line ends in a time that grows with its length', async () => {
    const { svc } = await platform.account();
    for (const cell of [`${'\n'.repeat(250_000)}x`, `${'\r\n'.repeat(120_000)}x`, '"""\n"",'.repeat(35_000)]) {
      const csv = `Mail,Name\na@example.com,"${cell}"\n`;
      const { import: accepted } = await svc.call('audience.contact.import', {
        csv,
        columns: { Mail: 'email', Name: 'firstName' },
        dryRun: true,
      });
      expect(accepted.total).to.be.greaterThan(0);
    }
  });

  it('searches a row of repeating quotes in a time that grows with its length', async () => {
    const { svc } = await platform.account();
    const repeated = '"",'.repeat(10_000);
    const quoted = `${repeated}\n${repeated}`.replaceAll('"', '""');
    const row = `"${quoted}","${',""'.repeat(48_000)}"\n`;
    const before = process.cpuUsage();
    const { import: accepted } = await svc.call('audience.contact.import', {
      csv: `Mail,Name\n${row.repeat(60)}`,
      columns: { Mail: 'email', Name: 'properties.name' },
      dryRun: true,
    });
    expect(accepted.total).to.equal(60);
    // Each row took 0.35 s of computing, twice, in which nothing else ran; now it takes 0.02 s.
    expect(process.cpuUsage(before).user / 1_000_000).to.be.lessThan(20);
  });

  it('refuses a row of a million empty cells', async () => {
    const { svc } = await platform.account();
    const csv = `Mail,Name\na@example.com,A\n${','.repeat(1_200_000)}\nb@example.com,B\n`;
    const refused = await svc.refusal('audience.contact.import', { csv, columns: { Mail: 'email' } });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.message).to.equal(
      'The field “csv” has a row of more than 1048576 bytes at line 3: check its line ends and delimiters.',
    );
  });

  it('refuses a file with a quote that is never closed, and one with a row of more than 256 KiB', async () => {
    const { svc } = await platform.account();
    const before = await platform.count('audience_import');
    for (const [csv, problem] of [
      [
        'Mail,Name,Value\na@example.com,A,1\nb@example.com,"B,1\nc@example.com,C,1\n',
        'has a quote that is never closed, in the row at line 3',
      ],
      [
        `Mail,Name,Value\na@example.com,A,1\nb@example.com,${'B'.repeat(300_000)},1\n`,
        'has a row of more than 262144 characters at line 3: check whether its quotes are closed',
      ],
    ] as const) {
      const refused = await svc.refusal('audience.contact.import', { csv, columns });
      expect(refused).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.message).to.equal(`The field “csv” ${problem}.`);
    }
    expect(await platform.count('audience_import')).to.equal(before);
  });

  it('refuses unknown columns, naming them', async () => {
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
    for (const [columns, field] of wrong) {
      const refused = await svc.refusal('audience.contact.import', { csv, columns });
      expect(refused, JSON.stringify(columns)).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details, JSON.stringify(columns)).to.deep.equal({ field });
    }
  });

  it('reads a header line of at most 1,000 columns, and as many names in columns', async () => {
    const account = await platform.account();
    const names = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    const columnsOf = (length: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`c${index}`, `properties.p${index}`]));
    const refused = async (csv: string, columns: Record<string, string>): Promise<string> =>
      (await account.svc.refusal('audience.contact.import', { csv, columns })).message;
    expect(await refused(`${names.join()},Mail\na`, { Mail: 'email' })).to.equal(
      'The field “csv” has 1001 columns in its header line; the maximum is 1000.',
    );
    expect(await refused(`${names.join()}\na`, columnsOf(1001))).to.equal(
      'The field “columns” must hold at most 1000 fields.',
    );
    expect(await refused(`${names.join()}\na`, { ['x'.repeat(201)]: 'email' })).to.match(
      /^The field “columns\.x+…” is/,
    );
    const cells = names.map((_, index) => (index === 0 ? 'wide@example.com' : String(index)));
    const { import: done } = await runImport(platform, account, {
      csv: `${names.join()}\n${cells.join()}`,
      columns: { ...columnsOf(200), c0: 'email' },
    });
    expect(done).to.include({ total: 1, created: 1 });
  });

  it('does not normalize header cells that are longer than any name', async () => {
    const { svc } = await platform.account();
    // Putting 120,000 combining marks into their canonical order takes seconds of a processor's time.
    const csv = `Mail,a${'\u0315\u0300'.repeat(60_000)}\na@example.com,x`;
    const refused = await svc.refusal('audience.contact.import', { csv, columns: { Absent: 'email' } });
    expect(refused.message).to.match(/^The field “columns\.Absent” is not in the header line/);
  });

  it('reads cells across chunk boundaries', async () => {
    const account = await platform.account();
    // Three bytes per character: chunks of 64 KiB end within a character.
    const lines = Array.from({ length: 300 }, (_, index) => `p${index},"${'語'.repeat(100 + (index % 7))}\n,${index}"`);
    const { import: done } = await runImport(platform, account, {
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
