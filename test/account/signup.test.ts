import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { InputOf } from '#test/support/api.js';
import { hours, minutes } from '#test/support/clock.js';
import { addMember } from './support.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf } from './support.js';

type Signup = InputOf<'account.signup'>;

let people = 0;
const someone = (given: Partial<Signup> = {}): Signup => ({
  name: 'Acme',
  email: `person-${(people += 1)}-${randomBytes(3).toString('hex')}@example.com`,
  ...given,
});

const id = (uuid: string): string => `0x${uuid.replaceAll('-', '')}`;

describe('account.signup with SVC_SIGNUP=open', () => {
  const platform = usePlatform({ settings: () => ({ SVC_SIGNUP: 'open', SVC_TRUST_PROXY: '127.0.0.0/8' }) });
  // Every test calls from its own address, so it has its own limit.
  let addresses = 0;
  let from = { 'X-Forwarded-For': '' };
  beforeEach(() => {
    from = { 'X-Forwarded-For': `198.51.100.${(addresses += 1)}` };
  });

  it('opens an account with owner, project and both environments, and shows keys that work', async () => {
    const input = someone({ projectName: 'Shop', country: 'DE', heardFrom: 'community', heardFromDetail: 'A friend' });
    const { activityId, result } = await platform.api.envelope('account.signup', input, { headers: from });
    expect(result.account).to.include({
      name: 'Acme',
      country: 'DE',
      heardFrom: 'community',
      heardFromDetail: 'A friend',
      closedAt: null,
    });
    expect(result.project).to.include({ name: 'Shop' });
    expect(result.environments.map(({ kind, projectId }) => [kind, projectId])).to.have.deep.members([
      ['live', result.project.id],
      ['test', result.project.id],
    ]);
    expect(result.keys.secret).to.match(/^svc_test_(?!pk)[A-Za-z0-9]{43}$/);
    expect(result.keys.publishable).to.match(/^svc_test_pk[A-Za-z0-9]{40}$/);
    const shown = await platform.api.call('account.get', {}, { key: result.keys.secret });
    expect(shown).to.deep.include({ account: result.account, memberCount: 1 });
    const { members } = await platform.api.call('account.member.list', {}, { key: result.keys.secret });
    expect(members.map(({ email, role, status }) => ({ email, role, status }))).to.deep.equal([
      { email: input.email, role: 'owner', status: 'active' },
    ]);
    const [test] = result.environments.filter(({ kind }) => kind === 'test');
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'account.signup',
      subjectId: result.account.id,
    });
    const events = await platform.running.services.database.rows<{ type: Buffer }>(
      `SELECT type FROM svc_event WHERE environment_id = ${id(test?.id ?? '')} AND activity_id = ${id(activityId)}`,
    );
    expect(events.map(({ type }) => type.toString())).to.deep.equal(['account.created']);
  });

  it('returns no live key, and the owner is not proven', async () => {
    const { environments, keys, account } = await platform.api.call('account.signup', someone(), { headers: from });
    const live = environments.find(({ kind }) => kind === 'live')?.id ?? '';
    expect(await platform.count('developers_key', `environment_id = ${id(live)}`)).to.equal(0);
    expect(await platform.count('account_member', `account_id = ${id(account.id)} AND proven_at IS NOT NULL`)).to.equal(
      0,
    );
    const invitation = { email: 'a@example.com' };
    const refusal = await platform.api.refusal('account.member.invite', invitation, { key: keys.secret });
    expect(refusal).to.include({ status: 403, code: 'live_only' });
  });

  it('names the project after the account by default', async () => {
    const { project } = await platform.api.call('account.signup', someone({ name: 'Müller & Co' }), { headers: from });
    expect(project.name).to.equal('Müller & Co');
  });

  it('gives two projects of the same name different sending domains', async () => {
    const opened = [
      await platform.api.call('account.signup', someone({ projectName: 'Same' }), { headers: from }),
      await platform.api.call('account.signup', someone({ projectName: 'Same' }), { headers: from }),
    ];
    expect(new Set(opened.map(({ project }) => project.slug)).size).to.equal(2);
  });

  it('refuses the proven address of an owner in any spelling, and lets an address that nobody has proven sign up again', async () => {
    const email = `Race-${randomBytes(3).toString('hex')}@Example.com`;
    const sign = (spelling: string) =>
      platform.api.raw('/account/signup', JSON.stringify(someone({ email: spelling })), { headers: from });
    const spellings = [email, email.toLowerCase(), email.toUpperCase()];
    const unproven = await Promise.all(spellings.map(sign));
    expect(unproven.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(await platform.count('account', `opened_by = '${email.toLowerCase()}'`)).to.equal(0);
    await addMember(platform, await platform.account(), { role: 'owner', email });
    for (const { status, text } of await Promise.all(spellings.map(sign))) {
      expect(status).to.equal(409);
      expect(text).to.contain('"email_taken"');
    }
  });

  it('replays its answer to a caller with the Idempotency-Key, from any address', async () => {
    const input = someone();
    const again = { headers: from, idempotencyKey: `signup-${input.email}` };
    const first = await platform.api.call('account.signup', input, again);
    const elsewhere = { ...again, headers: { 'X-Forwarded-For': '203.0.113.99' } };
    expect(await platform.api.call('account.signup', input, elsewhere)).to.deep.equal(first);
    expect((await platform.api.call('account.get', {}, { key: first.keys.secret })).memberCount).to.equal(1);
  });

  it('stores no answer for a key of less than 16 characters: a repeat opens another account', async () => {
    const input = someone();
    const again = { headers: from, idempotencyKey: 'signup-1' };
    const before = await platform.count('svc_idempotency');
    const { account } = await platform.api.call('account.signup', input, again);
    expect((await platform.api.call('account.signup', input, again)).account.id).not.to.equal(account.id);
    expect(await platform.count('svc_idempotency')).to.equal(before);
  });

  it('accepts 30 calls an hour from one IP address, including refused ones, and says how long to wait', async () => {
    const taken = someone();
    await addMember(platform, await platform.account(), { role: 'owner', email: taken.email });
    for (let n = 0; n < 30; n += 1) {
      const { status } = await platform.api.raw('/account/signup', JSON.stringify(taken), { headers: from });
      expect(status).to.equal(409);
    }
    platform.clock.advance(minutes(50));
    const refusal = await platform.api.refusal('account.signup', someone(), { headers: from });
    expect(refusal).to.include({ status: 429, code: 'rate_limited' });
    expect(refusal.fix).to.match(/\b600\b/);
    expect(refusal.headers.get('retry-after')).to.equal(null);
    const elsewhere = { 'X-Forwarded-For': '203.0.113.7' };
    await platform.api.call('account.signup', someone(), { headers: elsewhere });
    platform.clock.advance(hours(1) - minutes(50));
    await platform.api.call('account.signup', someone(), { headers: from });
  });

  it('refuses an invalid name, address or country, naming the field', async () => {
    const cases: readonly (readonly [field: string, value: unknown])[] = [
      ['name', ''],
      ['name', 'x'.repeat(121)],
      ['name', undefined],
      ['email', undefined],
      ['email', 'a@x.com, b@y.com'],
      ['email', 'Ada <a@x.com>'],
      ['email', 'a@x.com\n'],
      ['email', `${'ä'.repeat(64)}@example.com`],
      ['projectName', ''],
      ['country', 'de'],
      ['country', 'DEU'],
      ['country', 'ZZ'],
      ['country', 'XX'],
      ['country', 'UK'],
      ['country', 'SU'],
      ['country', 'EU'],
      ['country', 'IC'],
      ['heardFrom', 'television'],
      ['heardFrom', null],
      ['heardFromDetail', 'x'.repeat(501)],
      ['operator', true],
    ];
    for (const [index, [field, value]] of cases.entries()) {
      const headers = { 'X-Forwarded-For': `192.0.2.${index}` };
      const refusal = await platform.api.refusal('account.signup', { ...someone(), [field]: value }, { headers });
      expect({ code: refusal.code, details: refusal.details }, `${field} ${String(value)}`).to.deep.equal({
        code: 'invalid_input',
        details: { field },
      });
    }
    for (const country of ['GB', 'PS', 'TW', null]) {
      const { account } = await platform.api.call('account.signup', someone({ country }), { headers: from });
      expect(account.country).to.equal(country);
    }
  });

  it('accepts the longest names and addresses in any script', async () => {
    for (const name of [
      'x'.repeat(120),
      '字'.repeat(120),
      '🦊'.repeat(120),
      'İ'.repeat(120),
      '\u{1d160}'.repeat(120),
    ]) {
      const { account } = await platform.api.call('account.signup', someone({ name }), { headers: from });
      expect(account.name).to.equal(name);
    }
    const email = `${'e'.repeat(64)}@${`${'d'.repeat(60)}.`.repeat(3)}example`.slice(0, 254);
    const { keys } = await platform.api.call('account.signup', someone({ email }), { headers: from });
    const { members } = await platform.api.call('account.member.list', {}, { key: keys.secret });
    expect(members[0]?.email).to.equal(email);
  });
});

describe('account.signup with SVC_SIGNUP=closed', () => {
  const platform = usePlatform();

  it('is refused and opens no account', async () => {
    const before = await platform.count('account');
    expect(await platform.api.refusal('account.signup', someone())).to.include({
      status: 403,
      code: 'signup_disabled',
    });
    expect(await platform.count('account')).to.equal(before);
  });
});
