import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { idText } from '#core/runtime/id.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { codeOf, lab, partOf } from './support/lab.js';

const output = object({ done: text() });
const note = {
  subject: { type: 'thing', id: 'thing-1' },
  summary: 'Made a thing.',
  changes: [{ field: 'size', from: 1, to: 2 }],
};

const make = defineOperation({
  name: 'lab.thing.make',
  summary: 'Make a thing.',
  access: 'secret',
  input: object({ fail: optional(text()) }),
  output,
  example: { input: {}, output: { done: 'yes' } },
  async handle({ fail }, { audit }) {
    audit({ summary: 'Replaced by the next.' });
    audit(note);
    if (fail) throw new Error(fail);
    return { done: 'yes' };
  },
});
const quiet = defineOperation({
  ...make,
  name: 'lab.thing.touch',
  accountWide: true,
  handle: async () => ({ done: 'yes' }),
});
const arrive = defineOperation({
  name: 'lab.visitor.arrive',
  summary: 'Come without a key.',
  access: 'public',
  input: object({ environmentId: optional(uuid()) }),
  output,
  example: { input: {}, output: { done: 'yes' } },
  async handle({ environmentId }, { db, actIn }) {
    const environment = environmentId === undefined ? null : await findEnvironment(db, environmentId);
    if (environment) actIn(environment);
    return { done: 'yes' };
  },
});

async function records(
  platform: TestPlatform,
  where: string,
  parameters: SqlValue[],
): Promise<Record<string, unknown>[]> {
  const rows = await platform.running.services.database.rows<Record<string, unknown>>(
    `SELECT * FROM svc_activity WHERE ${where}`,
    parameters,
  );
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        if (!Buffer.isBuffer(value)) return [name, value];
        return [name, /^(id|.*_id)$/.test(name) && value.length === 16 ? idText(value) : value.toString()];
      }),
    ),
  );
}

describe('The audit record of a call', () => {
  const platform = usePlatform({ plugins: [lab(make, quiet, arrive)] });

  it('names actor, operation, subject, time, client address and changed fields', async () => {
    const { svc, live, accountId } = await platform.account();
    const { key } = await svc.call('developers.key.current', {});
    const answer = await svc.raw('/lab/thing/make', '{}', { headers: { 'User-Agent': `lab/1 ${'x'.repeat(500)}` } });
    const { activityId } = parsed(answer.text);
    const [record, ...others] = await records(platform, 'environment_id = ?', [idOf(live.id)]);
    expect(others).to.deep.equal([]);
    expect(record).to.deep.include({
      id: activityId,
      environment_id: live.id,
      account_id: accountId,
      account_wide: 0,
      operation: 'lab.thing.make',
      actor_kind: 'key',
      actor_id: key?.id,
      actor_label: 'First key',
      subject_type: 'thing',
      subject_id: 'thing-1',
      person_id: null,
      summary: 'Made a thing.',
      changes: JSON.stringify(note.changes),
      request_id: answer.headers.get('X-Request-Id'),
      ip: '127.0.0.1',
      created_at: platform.clock.now(),
    });
    expect(String(record?.['user_agent'])).to.have.length(300);
  });

  it('uses the operation’s summary when the handler gives none', async () => {
    const { svc, live } = await platform.account();
    await svc.raw('/lab/thing/touch', '{}');
    const [record] = await records(platform, 'environment_id = ?', [idOf(live.id)]);
    expect(record).to.include({ summary: 'Make a thing.', subject_type: null, changes: '[]', account_wide: 1 });
  });

  it('is not written for a call that failed', async () => {
    const { svc, live } = await platform.account();
    expect((await svc.raw('/lab/thing/make', '{"fail":"no"}')).status).to.equal(500);
    expect(await records(platform, 'environment_id = ?', [idOf(live.id)])).to.deep.equal([]);
  });

  it('of a public call belongs to the environment that the call named', async () => {
    const { live } = await platform.account();
    const answer = await platform.api.raw('/lab/visitor/arrive', JSON.stringify({ environmentId: live.id }));
    expect(partOf(answer.text, 'result')).to.deep.equal({ done: 'yes' });
    const [record] = await records(platform, 'environment_id = ?', [idOf(live.id)]);
    expect(record).to.include({ id: parsed(answer.text).activityId, actor_kind: 'public', actor_label: 'Public call' });
  });

  it('is required: a public call that names no environment writes nothing', async () => {
    const before = await platform.count('svc_activity');
    const answer = await platform.api.raw('/lab/visitor/arrive', '{}');
    expect([answer.status, codeOf(answer)]).to.deep.equal([500, 'internal_error']);
    expect(await platform.count('svc_activity')).to.equal(before);
  });
});

const idOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

function parsed(body: string): { activityId: unknown } {
  const value: unknown = JSON.parse(body);
  return { activityId: typeof value === 'object' && value !== null ? Reflect.get(value, 'activityId') : undefined };
}
