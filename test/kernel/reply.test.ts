import { expect } from 'chai';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { count, object, optional, text } from '#core/kernel/schema/schema.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, lab, newKey, partOf } from './support/lab.js';

const row = { name: 'Ada', secretHash: 'canary-hash', nested: { kept: 'yes', secretHash: 'canary-hash' } };

const careless = (name: string, impact: Partial<Operation['impact']>, reply: object): Operation => ({
  ...defineOperation({
    name,
    summary: 'Answer a whole row.',
    access: 'secret',
    impact,
    input: object({}),
    output: object({ name: text(), nested: optional(object({ kept: text() })), size: optional(count()) }),
    example: { input: {}, output: { name: 'Ada' } },
    handle: async () => ({ name: 'Ada' }),
  }),
  handle: async () => reply,
});

const operations = [
  careless('lab.reply.read', { read: true }, row),
  careless('lab.reply.write', {}, row),
  careless('lab.reply.wrong', {}, { name: 5 }),
];

describe('A reply that carries more than its schema says', () => {
  describe('in production', () => {
    const platform = usePlatform({ plugins: [lab(...operations)], boot: { strictReplies: false } });

    it('is cut before it leaves, and before it is stored', async () => {
      const { svc } = await platform.account();
      const idempotencyKey = newKey();
      for (const path of ['/lab/reply/read', '/lab/reply/write', '/lab/reply/write']) {
        const answer = await svc.raw(path, '{}', { idempotencyKey });
        expect(partOf(answer.text, 'result')).to.deep.equal({ name: 'Ada', nested: { kept: 'yes' } });
        expect(answer.text).to.not.contain('canary');
      }
      const stored = await platform.running.services.database.rows<{ answer: Buffer }>(
        'SELECT answer FROM svc_idempotency',
      );
      expect(stored.map(({ answer }) => answer.toString()).join())
        .to.contain('Ada')
        .and.not.contain('canary');
    });
  });

  describe('in tests', () => {
    const platform = usePlatform({ plugins: [lab(...operations)] });

    it('fails the call, which writes nothing, and the log says which field it was', async () => {
      const { svc } = await platform.account();
      const before = await platform.count('svc_activity');
      for (const [path, says] of [
        ['/lab/reply/read', 'lab.reply.read replied with what its schema does not allow: result.nested.secretHash'],
        ['/lab/reply/write', 'lab.reply.write replied with what its schema does not allow: result.nested.secretHash'],
        [
          '/lab/reply/wrong',
          'lab.reply.wrong replied with what its schema does not allow: name must be of type string',
        ],
      ] as const) {
        const answer = await svc.raw(path, '{}');
        expect([answer.status, codeOf(answer)]).to.deep.equal([500, 'internal_error']);
        expect(platform.logLines.join('')).to.contain(says);
      }
      expect(await platform.count('svc_activity')).to.equal(before);
    });
  });
});
