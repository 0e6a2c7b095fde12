import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { draft, publish, publisher, reached, subscribe } from '#test/email/broadcast/support.js';
import { breaks, forwards, useScript } from '#test/sdk/support.js';
import { resultOf, runSvc, startSvc, type Ran } from './support.js';

describe('svc: what became of a call', function () {
  this.timeout(60_000);
  needProducts('email');
  const platform = usePlatform();
  const script = useScript();
  const state: { account?: TestAccount; folder?: string } = {};
  before(async () => {
    state.account = await platform.account();
    state.folder = await mkdtemp(join(tmpdir(), 'svc-follow-'));
  });
  after(() => rm(state.folder ?? '', { recursive: true, force: true }));
  const svc = (...words: string[]): Promise<Ran> =>
    runSvc([...words, '--base-url', platform.running.address], { key: state.account?.keys.test.secret ?? '' });
  const file = async (name: string, content: string | Buffer): Promise<string> => {
    const path = join(state.folder ?? '', name);
    await writeFile(path, content);
    return path;
  };

  it('send prints what matters, the next command, and where development mail is', async () => {
    const to = state.account?.ownerEmail ?? '';
    const { stdout, code } = await svc('email', 'send', '--to', to, '--subject', 'Hi', '--text', 'x', '--no-json');
    expect(code).to.equal(0);
    expect(stdout).to.match(/^messageId +[0-9a-f-]{36}\nstatus +queued\n/);
    expect(stdout).to.not.match(/templateVersion|sendAfter/);
    const id = /messageId +(\S+)/.exec(stdout)?.[1] ?? '';
    expect(stdout).to.contain(`Next: svc email message get --message-id ${id} --watch --base-url `);
    expect(stdout).to.contain(`or: ${platform.running.address}/dev/mailbox\n`);
  });

  it('send says what blocks a message, and names no mailbox that it never reaches', async () => {
    const words = ['email', 'send', '--to', 'stranger@example.com', '--subject', 'Hi', '--text', 'x', '--no-json'];
    const { stdout } = await svc(...words);
    expect(stdout).to.match(/reason +test_environment\n(?:.*\n){0,3} +fix +A test environment sends only/);
    expect(stdout).to.not.contain('Next:').and.not.contain('mailbox');
    const waited = await svc(...words, '--wait');
    expect(waited.stdout).to.match(/status +suppressed/);
    expect(waited.code).to.equal(1);
  });

  it('--wait goes on if the server cannot be reached for a moment', async () => {
    const polls: string[] = [];
    const forward = forwards(() => platform.running.address);
    script.plays((request, response, incoming) => {
      if (!request.path.includes('/email/message/get')) return forward(request, response, incoming);
      polls.push(request.path);
      return (polls.length === 1 ? breaks : forward)(request, response, incoming);
    });
    const words = ['email', 'send', '--to', state.account?.ownerEmail ?? '', '--subject', 'Hi', '--text', 'x'];
    const { stdout, code } = await runSvc([...words, '--wait', '--base-url', script.address], {
      key: state.account?.keys.test.secret ?? '',
    });
    expect(polls.length).to.be.greaterThan(1);
    expect(code, stdout).to.equal(0);
    expect(resultOf(stdout)).to.have.nested.property('message.status', 'sent');
  });

  it('--attach sends files, with the type of their names', async () => {
    const paths = await Promise.all([file('report.pdf', '%PDF-'), file('data.unknownkind', 'x')]);
    const attach = paths.flatMap((path) => ['--attach', path]);
    const to = state.account?.ownerEmail ?? '';
    const sent = await svc('email', 'send', '--to', to, '--subject', 'Files', '--text', 'x', ...attach);
    expect(resultOf(sent.stdout)['attachments']).to.deep.equal([
      { filename: 'report.pdf', contentType: 'application/pdf', bytes: 5 },
      { filename: 'data.unknownkind', contentType: 'application/octet-stream', bytes: 1 },
    ]);
    const missing = await svc('email', 'send', '--to', to, '--subject', 'x', '--text', 'x', '--attach', 'nowhere.pdf');
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.contain('--attach: the file nowhere.pdf cannot be read (ENOENT).\nfix: Check the path.');
  });

  it('--image stores pictures with a draft', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const path = await file('pixel.png', Buffer.from(pixel, 'base64'));
    const locales = ['--locales', '{"en": {"subject": "Hello", "text": "Hello"}}'];
    const saved = await svc('email', 'template', 'draft', 'save', '--template', 'pixel', ...locales, '--image', path);
    expect(resultOf(saved.stdout)['images']).to.have.nested.property('[0].width', 1);
  });

  itNeeding('audience')(
    'an import names ignored columns and its next command; --wait prints the rejected rows',
    async () => {
      const csv = await file('people.csv', 'Email,Phone,Name\nann@example.com,,Ann\nnobody,,Bob\n');
      const words = ['audience', 'contact', 'import', '--csv', `@${csv}`];
      const columns = ['--columns', '{"Email": "email", "Name": "firstName"}'];
      const started = await svc(...words, ...columns, '--no-json');
      expect(started.stdout).to.match(/^ignoredColumns +Phone\n/);
      expect(started.stdout).to.match(/Next: svc audience import get --import-id [0-9a-f-]{36} --watch/);

      const [shown, json] = await Promise.all([
        svc(...words, ...columns, '--wait', '--no-json'),
        svc(...words, ...columns, '--wait'),
      ]);
      expect(shown.stdout).to.match(/status +done\n[\s\S]*rejected +1\n/);
      expect(shown.stdout).to.match(/\nrejected\nrow +code +message\n2 +invalid_input +The field “email” must be/);
      expect([shown.code, json.code]).to.deep.equal([0, 0]);
      expect(shown.stderr).to.match(
        /^1 of 2 rows were rejected: `svc audience import get --import-id [0-9a-f-]{36} --base-url \S+` lists them\.$/m,
      );
      expect(resultOf(json.stdout)).to.have.nested.property('rejected[0].row', 2);
    },
  );

  itNeeding('audience')(
    'a broadcast of which every message failed ends with 1, and one of which some failed with 0; both say where to look',
    async () => {
      const sender = await publisher(platform);
      await publish(sender, { en: { subject: 'News', text: 'Hello {% if isFriend %}{{ nickname }}{% endif %}' } });
      const send = async (): Promise<Ran & { id: string }> => {
        const { broadcast } = await sender.svc.call('email.broadcast.create', draft(sender));
        const words = ['email', 'broadcast', 'send', '--broadcast-id', broadcast.id, '--wait', '--yes'];
        const key = sender.keys.live.secret;
        return { id: broadcast.id, ...(await runSvc([...words, '--base-url', platform.running.address], { key })) };
      };
      const hint = (id: string): string =>
        `\`svc email message list --broadcast-id ${id} --status failed --base-url ${platform.running.address}\` lists them, \`svc email message get\` says why each did.`;
      // Of variables under a condition, readiness only checks whether some contact has them; nobody who gets the
      // broadcast does.
      await sender.svc.call('audience.contact.upsert', { email: 'zoe@example.com', properties: { nickname: 'Zoe' } });
      await subscribe(sender, ['ann@example.com', 'bob@example.com'], { properties: { isFriend: true } });
      const none = await send();
      const failed = (count: string, id: string): string =>
        `${count} messages failed, one because of “missing_variables: neither the contact nor the broadcast has nickname.”: ${hint(id)}`;
      expect(none.stderr).to.contain(failed('2 of 2', none.id));
      expect(none.code).to.equal(1);
      const watched = await runSvc(
        ['email', 'broadcast', 'get', none.id, '--watch', '--base-url', platform.running.address],
        { key: sender.keys.live.secret },
      );
      expect(watched.stderr).to.contain(failed('2 of 2', none.id));
      expect(watched.code).to.equal(1);

      await subscribe(sender, ['cleo@example.com'], { properties: { nickname: 'Cleo' } });
      const some = await send();
      expect(some.stderr).to.contain(failed('2 of 3', some.id));
      expect(some.code).to.equal(0);
    },
  );

  itNeeding('audience')(
    'a broadcast whose messages all bounced, or were all suppressed, ends with 1 and the reason',
    async () => {
      const { svcTest, keys } = await platform.account();
      await svcTest.call('audience.topic.create', { key: 'news', name: 'News' });
      const { ownAddress } = await svcTest.call('email.sender.get', {});
      await svcTest.call('email.sender.set', { legalAddress: 'Acme GmbH, Berlin' });
      await publish({ svc: svcTest }, { en: { subject: 'News', text: 'Hello' } });
      const bounced = ['bounced+1@test.mail.localhost', 'bounced+2@test.mail.localhost'];
      await subscribe({ svc: svcTest }, bounced);
      const { broadcast } = await svcTest.call('email.broadcast.create', draft({ from: ownAddress }));
      const words = ['email', 'broadcast', 'send', broadcast.id, '--wait', '--yes'];
      const { code, stderr } = await runSvc([...words, '--base-url', platform.running.address], {
        key: keys.test.secret,
      });
      expect(stderr).to.contain(
        `2 of 2 messages bounced, one because of “550 5.1.1 A test address that bounces.”: \`svc email message list --broadcast-id ${broadcast.id} --status bounced`,
      );
      expect(code).to.equal(1);
    },
  );

  for (const channel of ['email', 'sms'] as const)
    itNeeding('audience', channel)(
      `--watch on a draft of ${channel} says that it is not sent, and how to send it`,
      async () => {
        const { svcTest, keys } = await platform.account();
        const fields = { name: 'News', template: 'news', topic: 'news' };
        const { broadcast } =
          channel === 'sms'
            ? await svcTest.call('sms.broadcast.create', fields)
            : await svcTest.call('email.broadcast.create', { ...fields, from: 'hello@shop.example' });
        const { address } = platform.running;
        const words = [channel, 'broadcast', 'get', broadcast.id, '--watch', '--base-url', address];
        const { code, stdout, stderr } = await runSvc(words, { key: keys.test.secret });
        expect(resultOf(stdout)).to.have.nested.property('broadcast.status', 'draft');
        expect(stderr).to.equal(
          `The broadcast is a draft and is not being sent.\nfix: Send it with \`svc ${channel} broadcast send --broadcast-id ${broadcast.id} --yes --base-url ${address}\`.\n`,
        );
        expect(code).to.equal(5);
      },
    );

  itNeeding('audience')('--watch on a held broadcast names the command that resumes it', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ann@example.com']);
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const { broadcast } = await sender.svc.call('email.broadcast.create', draft(sender, { scheduledAt }));
    await sender.svc.call('email.broadcast.send', { broadcastId: broadcast.id });
    await sender.svc.call('account.close', { reason: 'Testing.' });
    platform.clock.advance(hours(2));
    await reached(sender, broadcast.id, 'held');
    const words = ['email', 'broadcast', 'get', broadcast.id, '--watch', '--base-url', platform.running.address];
    const { code, stderr } = await runSvc(words, { key: sender.keys.live.secret });
    expect(stderr).to.contain('is held').and.contain(`\`svc email broadcast resume --broadcast-id ${broadcast.id}`);
    expect(code).to.equal(1);
  });

  it('--watch prints again what changed, one JSON object a line, until Ctrl-C', async () => {
    const { svc: api, keys } = await platform.account();
    const child = startSvc(['account', 'get', '--watch', '--base-url', platform.running.address], {
      key: keys.live.secret,
    });
    const seen = { stdout: '' };
    child.stdout.on('data', (data: Buffer) => (seen.stdout += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const names = (): unknown[] =>
      seen.stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => at(JSON.parse(line), 'result', 'account', 'name'));
    try {
      await eventually(() => names().length === 1, 'the first answer');
      await api.call('account.update', { name: 'Renamed' });
      await eventually(() => names().length === 2, 'the changed answer');
    } finally {
      child.kill('SIGINT');
    }
    expect(await ended).to.equal(0);
    expect(names()[1]).to.equal('Renamed');
  });

  it('--watch ends by itself when the status is final', async () => {
    const to = state.account?.ownerEmail ?? '';
    const sent = await state.account?.svcTest.call('email.send', { to, subject: 'Watched', text: 'x' });
    const { stdout, code } = await svc('email', 'message', 'get', '--message-id', sent?.messageId ?? '', '--watch');
    expect(code).to.equal(0);
    expect(stdout.trim().split('\n').at(-1)).to.contain('"status":"sent"');
    const blocked = await state.account?.svcTest.call('email.send', {
      to: 'stranger@example.com',
      subject: 'Watched',
      text: 'x',
    });
    const failed = await svc('email', 'message', 'get', blocked?.messageId ?? '', '--watch');
    expect(failed.code, 'a message that is not sent').to.equal(1);
    expect(failed.stdout).to.contain('"status":"suppressed"');
  });
});
