import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listMailbox, readMailbox } from '#plugins/email/mailbox/store.js';
import { mailboxTransport } from '#plugins/email/mailbox/transport.js';
import type { EnvelopedMail } from '#plugins/email/transport.js';

const mailOf = (subject: string, more: Partial<EnvelopedMail> = {}): EnvelopedMail => ({
  envelopeFrom: 'bounce@acme.mail.localhost',
  recipients: ['ada@example.com'],
  raw: Buffer.from(`From: a@x.example\r\nTo: ada@example.com\r\nSubject: ${subject}\r\n\r\nHello\r\n`),
  ...more,
});

describe('the local mailbox', () => {
  const parts = { root: '', folder: '' };
  beforeEach(async () => {
    parts.root = await mkdtemp(join(tmpdir(), 'svc-mailbox-'));
    parts.folder = join(parts.root, 'state', 'mailbox');
  });
  afterEach(() => rm(parts.root, { recursive: true, force: true }));

  const onlyId = async (): Promise<string> => (await listMailbox(parts.folder, { limit: 10 }))[0]?.id ?? '';

  it('stores a message byte for byte with its envelope, readable only by the owner', async () => {
    const raw = Buffer.concat([
      Buffer.from('Subject: =?utf-8?Q?h=C3=A4?=\r\nBcc: x@y.example\r\n\r\nX-Svc-Envelope: {}\r\n'),
      Buffer.from([0, 255, 13, 10]),
    ]);
    const recipients = ['ada@example.com', 'bücher@example.com'];
    const report = await mailboxTransport(parts.folder).deliver({ envelopeFrom: '', recipients, raw });
    expect(report.recipients).to.deep.equal(
      recipients.map((address) => ({
        address,
        outcome: 'sent',
        code: null,
        response: 'kept in the local mailbox',
      })),
    );
    const kept = await readMailbox(parts.folder, await onlyId());
    expect(kept?.raw.equals(raw)).to.equal(true);
    expect(kept).to.deep.include({ envelopeFrom: '', recipients });
    expect(kept?.email.subject).to.equal('hä');
    const [name = ''] = await readdir(parts.folder);
    expect(name).to.match(/^[0-9a-f-]{36}\.eml$/);
    expect((await stat(join(parts.folder, name))).mode & 0o777).to.equal(0o600);
    expect((await stat(parts.folder)).mode & 0o777).to.equal(0o700);
  });

  it('lists the newest first, and messages before a given one', async () => {
    const transport = mailboxTransport(parts.folder);
    expect(await listMailbox(parts.folder, { limit: 10 })).to.deep.equal([]);
    for (const subject of ['one', 'two', 'three']) await transport.deliver(mailOf(subject));
    const [newest, second] = await listMailbox(parts.folder, { limit: 2 });
    expect([newest?.subject, second?.subject]).to.deep.equal(['three', 'two']);
    expect(newest?.at.getTime()).to.be.closeTo(Date.now(), 10_000);
    const older = await listMailbox(parts.folder, { limit: 10, before: second?.id ?? '' });
    expect(older.map(({ subject }) => subject)).to.deep.equal(['one']);
  });

  it('keeps the newest 500, and removes temporary files that a crash left', async function () {
    this.timeout(60_000);
    const old = '01000000-0000-7000-8000-000000000000';
    await mkdir(parts.folder, { recursive: true });
    await writeFile(join(parts.folder, `${old}.tmp`), 'half');
    await writeFile(join(parts.folder, 'notes.txt'), 'not ours');
    const transport = mailboxTransport(parts.folder);
    const batch = (from: number, to: number) =>
      Promise.all(Array.from({ length: to - from }, (_, index) => transport.deliver(mailOf(String(from + index)))));
    await batch(0, 100);
    expect(await readdir(parts.folder)).to.include(`${old}.tmp`);
    await batch(100, 503);
    const kept = await listMailbox(parts.folder, { limit: 1000 });
    expect(kept).to.have.length(500);
    // The first hundred were sent concurrently, so their order is not defined.
    expect(kept.filter(({ subject }) => Number(subject) < 100)).to.have.length(97);
    expect((await readdir(parts.folder)).filter((name) => !name.endsWith('.eml'))).to.deep.equal(['notes.txt']);
  });

  it('finds nothing for an invalid id', async () => {
    await mailboxTransport(parts.folder).deliver(mailOf('one'));
    const id = await onlyId();
    await writeFile(join(parts.root, 'state', 'secret-key.eml'), 'X: y\r\nsecret');
    for (const bad of [
      '',
      '.',
      '../secret-key',
      '../state/secret-key',
      `../mailbox/${id}`,
      `${id}.eml`,
      `${id}\n`,
      `${id}\0`,
      id.toUpperCase().replace(/^./, 'F'),
      join(parts.folder, id),
    ]) {
      expect(await readMailbox(parts.folder, bad), JSON.stringify(bad)).to.equal(undefined);
    }
    expect(await readMailbox(parts.folder, id)).to.not.equal(undefined);
  });

  it('lists a message that cannot be parsed', async () => {
    await mailboxTransport(parts.folder).deliver(
      mailOf('one', { raw: Buffer.from('\xff\r\nno header\0'.repeat(3), 'latin1') }),
    );
    expect(await listMailbox(parts.folder, { limit: 10 })).to.have.length(1);
    const deep = Array.from(
      { length: 300 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    ).join('');
    await mailboxTransport(parts.folder).deliver(mailOf('deep', { raw: Buffer.from(deep) }));
    const [newest] = await listMailbox(parts.folder, { limit: 1 });
    const kept = await readMailbox(parts.folder, newest?.id ?? '');
    expect([kept?.email.attachments, kept?.raw.toString()]).to.deep.equal([[], deep]);
  });

  it('reports a temporary failure when it cannot store a message, without throwing; verify returns the reason', async () => {
    const blocked = join(parts.root, 'file');
    await writeFile(blocked, '');
    const transport = mailboxTransport(join(blocked, 'mailbox'));
    const [answer] = (await transport.deliver(mailOf('one'))).recipients;
    expect(answer).to.deep.include({ outcome: 'temporary', code: null });
    expect(answer?.response).to.match(/^not kept in the local mailbox: E[A-Z]+$/);
    const said = await transport.verify().then(
      () => 'fine',
      (error: unknown) => String(error),
    );
    expect(said).to.contain(`The mailbox folder ${join(blocked, 'mailbox')} cannot be written: E`);
    await mailboxTransport(parts.folder).verify();
    expect(await readdir(parts.folder)).to.deep.equal([]);
  });

  it('restricts the permissions of an existing folder', async () => {
    await mkdir(parts.folder, { recursive: true });
    await chmod(parts.folder, 0o755);
    await mailboxTransport(parts.folder).verify();
    expect((await stat(parts.folder)).mode & 0o777).to.equal(0o700);
  });

  it('finishes running deliveries when it is closed, and accepts no more', async () => {
    const transport = mailboxTransport(parts.folder);
    const delivery = transport.deliver(mailOf('one'));
    await transport.close();
    const [name = ''] = await readdir(parts.folder);
    expect(await readFile(join(parts.folder, name), 'utf8')).to.contain('Subject: one');
    expect((await delivery).recipients[0]?.outcome).to.equal('sent');
    expect((await transport.deliver(mailOf('two'))).recipients[0]?.outcome).to.equal('temporary');
  });
});
