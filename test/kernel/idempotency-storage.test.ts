import { expect } from 'chai';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { boolean, list, object, optional, text, withDefault } from '#core/kernel/schema/schema.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, lab, newKey, partOf, replayed } from './support/lab.js';

const shown: string[] = [];
const showing = (name: string, showsSecret: Operation['showsSecret']): Operation =>
  defineOperation({
    name,
    summary: 'Answer with a secret.',
    access: 'secret',
    ...(showsSecret ? { showsSecret } : {}),
    input: object({}),
    output: object({ secret: text() }),
    example: { input: {}, output: { secret: 's' } },
    async handle() {
      const secret = randomToken(43);
      shown.push(secret);
      return { secret };
    },
  });

const page = object({ title: text(), shown: withDefault(boolean(), true) });
const noting = defineOperation({
  name: 'lab.note.write',
  summary: 'Note something.',
  access: 'secret',
  input: object({ name: text(), pages: optional(list(page)), urgent: withDefault(boolean(), false) }),
  output: object({ note: text() }),
  example: { input: { name: 'a' }, output: { note: 'a' } },
  handle: async () => ({ note: randomToken(8) }),
});

describe('Idempotency-Key: storage', () => {
  const platform = usePlatform({
    plugins: [
      lab(
        showing('lab.answer.plain', undefined),
        showing('lab.answer.sealed', 'stored encrypted'),
        showing('lab.answer.locked', 'sealed by Idempotency-Key'),
        noting,
      ),
    ],
  });

  /** Every stored byte, as somebody who stole the table would read it. */
  const stolen = async (): Promise<string> => {
    const rows = await platform.running.services.database.rows<{ answer: Buffer | null }>(
      'SELECT answer FROM svc_idempotency',
    );
    return rows.map((row) => row.answer?.toString('latin1') ?? '').join('\n');
  };

  it('stores an answer that shows a secret encrypted, and replays it', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const first = await svc.raw('/lab/answer/sealed', '{}', { idempotencyKey });
    const repeat = await svc.raw('/lab/answer/sealed', '{}', { idempotencyKey });
    expect([repeat.text, replayed(repeat)]).to.deep.equal([first.text, true]);
    expect(await stolen()).to.not.contain(String(partOf(first.text, 'result')['secret']));
    expect(await stolen()).to.not.contain('"secret"');
  });

  it('confirms no guess of an input, such as a password, to somebody without the deployment’s key', async () => {
    const { svc } = await platform.account();
    expect((await svc.raw('/lab/answer/plain', '{}', { idempotencyKey: newKey() })).status).to.equal(200);
    const rows = await platform.running.services.database.rows<{ fingerprint: Buffer }>(
      'SELECT fingerprint FROM svc_idempotency',
    );
    expect(rows).to.not.be.empty;
    const guess = sha256('lab.answer.plain|{}').toString('hex');
    expect(rows.map(({ fingerprint }) => fingerprint.toString('hex'))).to.not.include(guess);
  });

  describe('across an upgrade', () => {
    const input = { name: 'a', pages: [{ title: 'b' }] };
    const filled = { name: 'a', pages: [{ shown: true, title: 'b' }], urgent: false };
    const stored = async (sql: string, parameters: (Buffer | number)[]): Promise<void> => {
      const { affectedRows } = await platform.running.services.database.run(
        `UPDATE svc_idempotency SET ${sql} ORDER BY created_at DESC LIMIT 1`,
        parameters,
      );
      expect(affectedRows).to.equal(1);
    };
    const digest = (call: string): Buffer =>
      platform.running.services.vault.digest(call, { table: 'svc_idempotency', column: 'fingerprint' });

    for (const [what, fingerprint] of [
      ['SHA-256 of the call', sha256],
      ['a keyed digest of the call with its defaults', digest],
    ] as const)
      it(`replays an answer that an earlier version stored with ${what}, and refuses another input`, async () => {
        const { svc } = await platform.account();
        const idempotencyKey = newKey();
        const call = (body: object) => svc.raw('/lab/note/write', JSON.stringify(body), { idempotencyKey });
        const first = await call(input);
        await stored('format = 0, fingerprint = ?', [fingerprint(`lab.note.write|${JSON.stringify(filled)}`)]);
        const repeat = await call(input);
        expect([repeat.text, replayed(repeat)]).to.deep.equal([first.text, true]);
        expect(codeOf(await call({ ...input, name: 'b' }))).to.equal('idempotency_mismatch');
      });

    it('replays an answer from before fields with defaults were added, and refuses other values of these', async () => {
      const { svc } = await platform.account();
      const idempotencyKey = newKey();
      const call = (body: object) => svc.raw('/lab/note/write', JSON.stringify(body), { idempotencyKey });
      const first = await call(input);
      // What the version without these fields stored.
      await stored('fingerprint = ?', [digest(`lab.note.write|${JSON.stringify(input)}`)]);
      expect((await call(input)).text).to.equal(first.text);
      expect((await call(filled)).text).to.equal(first.text);
      expect(codeOf(await call({ ...input, urgent: true }))).to.equal('idempotency_mismatch');
      expect(codeOf(await call({ ...input, pages: [{ title: 'b', shown: false }] }))).to.equal('idempotency_mismatch');
    });
  });

  it('seals what key.create and key.rotate show', async () => {
    const { svc } = await platform.account();
    const input = JSON.stringify({ name: 'A', permissions: ['account:read'] });
    const idempotencyKey = newKey();
    const created = await svc.raw('/developers/key/create', input, { idempotencyKey });
    const plaintext = String(partOf(created.text, 'result')['plaintext']);
    const { key } = await svc.call('developers.key.current', {}, { key: plaintext });
    const rotate = JSON.stringify({ keyId: key?.id });
    const rotated = await svc.raw('/developers/key/rotate', rotate, { idempotencyKey: `${idempotencyKey}r` });
    const repeat = await svc.raw('/developers/key/rotate', rotate, { idempotencyKey: `${idempotencyKey}r` });
    expect(repeat.text).to.equal(rotated.text);
    expect((await svc.raw('/developers/key/create', input, { idempotencyKey })).text).to.equal(created.text);
    const table = await stolen();
    for (const answer of [created, rotated])
      expect(table).to.not.contain(String(partOf(answer.text, 'result')['plaintext']));
  });

  it('locks an answer with its Idempotency-Key: the deployment’s key alone does not decrypt it', async () => {
    const { svc } = await platform.account();
    const { database, vault } = platform.running.services;
    const idempotencyKey = newKey();
    const first = await svc.raw('/lab/answer/locked', '{}', { idempotencyKey });
    const repeat = await svc.raw('/lab/answer/locked', '{}', { idempotencyKey });
    expect([repeat.text, replayed(repeat)]).to.deep.equal([first.text, true]);
    const rows = await database.rows<{ id: Buffer; answer: Buffer }>(
      'SELECT id, answer FROM svc_idempotency WHERE sealed = 1 ORDER BY created_at DESC LIMIT 1',
    );
    for (const { id, answer } of rows) {
      const place = { table: 'svc_idempotency', column: 'answer', row: id.toString('hex') };
      expect(() => vault.open(answer, place)).to.throw('cannot be opened');
    }
    expect(rows).to.have.length(1);
  });

  it('stores no answer under a key too short to lock it: a repeat runs', async () => {
    const { svc } = await platform.account();
    const before = await platform.count('svc_idempotency');
    const first = await svc.raw('/lab/answer/locked', '{}', { idempotencyKey: 'fifteen-letters' });
    const repeat = await svc.raw('/lab/answer/locked', '{}', { idempotencyKey: 'fifteen-letters' });
    expect([repeat.status, replayed(repeat), repeat.text === first.text]).to.deep.equal([200, false, false]);
    expect(await platform.count('svc_idempotency')).to.equal(before);
  });

  it('keeps an answer for 24 hours, and no longer', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const first = await svc.raw('/lab/answer/plain', '{}', { idempotencyKey });
    const age = (interval: string): Promise<unknown> =>
      platform.running.services.database.run(`UPDATE svc_idempotency SET created_at = NOW(3) - INTERVAL ${interval}`);
    await age('86390 SECOND');
    expect((await svc.raw('/lab/answer/plain', '{}', { idempotencyKey })).text).to.equal(first.text);
    await age('86401 SECOND');
    const later = await svc.raw('/lab/answer/plain', '{}', { idempotencyKey });
    expect([later.status, replayed(later), later.text === first.text]).to.deep.equal([200, false, false]);
    expect((await svc.raw('/lab/answer/plain', '{}', { idempotencyKey })).text).to.equal(later.text);
  });

  it('keeps an answer while the clocks cannot be trusted', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const first = await svc.raw('/lab/answer/plain', '{}', { idempotencyKey });
    // As after a jump of the database's clock.
    await platform.running.services.database.run('UPDATE svc_idempotency SET created_at = NOW(3) - INTERVAL 100 DAY');
    platform.clock.trust(false);
    const repeat = await svc.raw('/lab/answer/plain', '{}', { idempotencyKey });
    expect([replayed(repeat), repeat.text]).to.deep.equal([true, first.text]);
    platform.clock.trust(true);
    expect(replayed(await svc.raw('/lab/answer/plain', '{}', { idempotencyKey }))).to.equal(false);
  });

  it('forgets the input with the answer: an old key may come with other input', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    await svc.raw('/lab/answer/plain', '{}', { idempotencyKey });
    expect(codeOf(await svc.raw('/lab/answer/sealed', '{}', { idempotencyKey }))).to.equal('idempotency_mismatch');
    await platform.running.services.database.run(
      'UPDATE svc_idempotency SET created_at = NOW(3) - INTERVAL 86401 SECOND',
    );
    expect((await svc.raw('/lab/answer/sealed', '{}', { idempotencyKey })).status).to.equal(200);
  });

  it('never logged a secret that it answered', () => {
    expect(shown.length).to.be.greaterThan(5);
    const log = platform.logLines.join('');
    for (const secret of shown) expect(log).to.not.contain(secret);
  });
});
