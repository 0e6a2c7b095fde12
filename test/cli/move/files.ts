import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { MoveSuite } from './suite.js';
import { zipped } from './support.js';

export function fileSuite({ start, folder, write }: MoveSuite): void {
  describe('files', () => {
    it('are refused with the line and the column if they cannot be read, before anything is written', async () => {
      const { move, svc } = await start();
      const header = '"Email Address",LEID,EUID,CLEAN_TIME\n';
      const good = `${header}a@example.com,1,2,"2024-03-03 09:00:00"\n`;
      const open = await write('open.csv', `${good}"b@example.com" x,1,2,\n`);
      const latin1 = await write('latin1.csv', Buffer.from(`${good}zo\u00eb@example.com,1,2,\n`, 'latin1'));
      const other = await write('other.csv', 'Address,Name\nx@example.com,X\n');
      const broken = await write(
        'broken.json',
        '[\n{"email":"a@example.com","status":"enabled","lists":[]},\n{"email":\n',
      );
      const record = '{"email":"a@example.com","status":"enabled","lists":[]}';
      const page = await write('page.json', `{"data":{"results":[${record}],"total":2,"per_page":1,"page":1}}`);
      const totals = await write('totals.json', `{"total":"all","data":{"results":[${record}],"total":2}}`);
      const bomb = await zipped(folder(), 'bomb.zip', { 'cleaned.csv': Buffer.alloc(80 * 1024 * 1024, 'a') });
      const inner = await zipped(folder(), 'inner.zip', { 'xx/xx/x.csv': Buffer.from(good) });
      const bytes = (await readFile(inner)).toString('latin1').replaceAll('xx/xx/', '../../');
      const path = await write('path.zip', Buffer.from(bytes, 'latin1'));
      const cases = [
        ['mailchimp', open, /open\.csv, line 3, column 1: /],
        ['mailchimp', latin1, /latin1\.csv is not UTF-8, from about line 1 on/],
        ['mailchimp', other, /It has Address, Name; expected is Email Address, OPTIN_TIME/],
        ['listmonk', broken, /broken\.json, line 3, column 1: the record that begins here is not closed/],
        ['listmonk', page, /page\.json has 1 of 2 records: it is one page/],
        ['listmonk', totals, /totals\.json has 1 of 2 records: it is one page/],
        ['mailchimp', bomb, /contains cleaned\.csv, whose \d+ bytes unpack to 83886080/],
        ['mailchimp', path, /path\.zip is not a ZIP archive that can be read: invalid relative path/],
        ['mailchimp', join(folder(), 'none.zip'), /none\.zip does not exist/],
      ] as const;
      const first = await write('good.csv', good);
      const check = async ([service, file, problem]: (typeof cases)[number]): Promise<void> => {
        const before = service === 'mailchimp' ? [first] : [];
        const { code, stderr } = await move(service, ...before, file, '--topic', 'news', '--report', `${file}.report`);
        expect(stderr, file).to.match(problem);
        expect(code, file).to.equal(2);
      };
      await Promise.all(cases.map(check));
      expect(
        (await readdir(folder())).filter((name) => name.includes('.report')),
        'no unfinished report stays',
      ).to.deep.equal([]);
      const topic = await move('mailchimp', open, '--topic', 'nothing');
      expect(topic.stderr).to.contain('There is no topic nothing for mail.').and.contain('offers');
      expect((await svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
    });

    it('in JSON are refused if there is anything else between the records', async () => {
      const { move, svc } = await start();
      const a = '{"email":"a@example.com","status":"enabled","lists":[]}';
      const b = '{"email":"b@example.com","status":"enabled","lists":[]}';
      const cases = [
        [`[\n${a},\n  oops ${b}]`, 'line 3, column 3: expected a record, but found “oops”'],
        [`[${a}\n${b}]`, 'line 2, column 1: expected “,” or “]”, but found “{"email":"b@example.”'],
        [`[${a},\n]`, 'line 2, column 1: expected a record, but found “]”'],
        [`[\n"x", ${a}]`, 'line 2, column 1: expected a record or “]”, but found “"x",”'],
        [`[${a}, null]`, 'expected a record, but found “null]”'],
        [`${a}\n"text"\n${b}\n`, 'line 2, column 1: expected a record, but found “"text"”'],
        [`${a},\n${b}\n`, 'line 1, column 56: expected a record, but found “,”'],
        [`[${a}]\n]`, 'line 2, column 1: expected a record, but found “]”'],
        [`{"data":{"results":[${a}] oops,"total":1}}`, 'line 1, column 76: the text after the records is not JSON'],
        [`{"data":{"results":[${a}],"total":1}`, 'column 88: the file ends before its last bracket'],
        [`{"x" 1,"data":[${a}]}`, 'line 1, column 1: the record that begins here is not JSON'],
        [`[${a},\n {"email":}]`, 'line 2, column 2: the record that begins here is not JSON'],
      ] as const;
      const check = async ([content, problem]: (typeof cases)[number], index: number): Promise<void> => {
        const file = await write(`between-${index}.json`, content);
        const { code, stderr } = await move('listmonk', file, '--topic', 'news');
        expect(stderr, content).to.contain(`${file}, `).and.contain(problem);
        expect(code, content).to.equal(2);
      };
      await Promise.all(cases.map(check));
      const users = await move('firebase', await write('before.json', '{"kind" 1,"users":[{"localId":"a"}]}'));
      expect(users.stderr).to.contain('line 1, column 1: the record that begins here is not JSON');
      expect((await svc.call('audience.contact.list', {})).contacts).to.deep.equal([]);
    });

    it('in JSON are read in every form: lists, lines, and pages with the records in a field', async () => {
      const { move } = await start();
      const of = (name: string): string =>
        `{"email":"${name}@example.com","status":"enabled","lists":[],"attribs":{"data":[1]}}`;
      const long = `{"email":"c@example.com","status":"enabled","lists":[],"attribs":{"text":"${'\\"é\\\\'.repeat(30_000)}"}}`;
      const pageOf = (...names: string[]): string =>
        `{"data": {"query": "data:", "total": 2, "results":\n[${names.map(of).join(' , ')}], "page": {"data": [{}]}}}`;
      const forms = [
        `${of('a')}\r\n\r\n${of('b')}`,
        `${of('a')}${of('b')}`,
        `\ufeff[ ${of('a')} ,\t${of('b')} ]\n`,
        pageOf('a', 'b'),
        `${pageOf('a')}\n${pageOf('b')}`,
        `{"results":[],"data":[${of('a')},${of('b')}]}`,
      ];
      const check = async (content: string, index: number): Promise<void> => {
        const moved = await move(
          'listmonk',
          await write(`form-${index}.json`, content),
          '--topic',
          'news',
          '--dry-run',
        );
        expect(moved, content).to.deep.include({ code: 0, planned: { contacts: 2 }, stderr: '' });
      };
      await Promise.all(forms.map(check));
      // Pieces of a file end anywhere in a record.
      const moved = await move(
        'listmonk',
        await write('long.json', `[${of('a')},\n${long},${of('b')}]`),
        '--topic',
        'news',
        '--dry-run',
      );
      expect(moved).to.deep.include({ planned: { contacts: 3 } });
    });
  });
}
