import { expect } from 'chai';
import { isSvcError, Svc, SvcError, type FetchAnswer, type SvcOptions } from '#core/surfaces/sdk/index.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { answers, forwards, losesAnswer, refuses, rejectionOf, useScript } from './support.js';

describe('The SDK against a running server', () => {
  const platform = usePlatform();
  const script = useScript();
  const client = ({ keys }: TestAccount, options: Partial<SvcOptions> = {}): Svc =>
    new Svc({ baseUrl: platform.running.address, apiKey: keys.live.secret, ...options });

  it('calls an operation through the method of its name, and returns its result', async () => {
    const account = await platform.account();
    const svc = client(account, { baseUrl: `${platform.running.address}/v1/` });
    const reply = await svc.account.get();
    expect(reply.account.id).to.equal(account.accountId);
    const { project } = await svc.account.project.update({ projectId: account.projectId, name: 'Second shop' });
    expect(project.name).to.equal('Second shop');
  });

  it('turns an error response into an SvcError with code, status, fix, requestId, details and operation', async () => {
    const svc = client(await platform.account());
    const error = await rejectionOf(svc.account.member.invite({ email: 'no address' }));
    if (!isSvcError(error, 'account.member.invite')) throw new Error('The error is not an SvcError of the operation.');
    expect(error).to.be.instanceOf(SvcError).and.instanceOf(Error);
    expect(error).to.include({
      name: 'SvcError',
      code: 'invalid_input',
      status: 400,
      operation: 'account.member.invite',
    });
    expect(error.message).to.include('email');
    expect(error.fix).to.include('Correct “email”');
    expect(error.requestId).to.match(/^[0-9a-f-]{36}$/);
    expect(error.details).to.deep.equal({ field: 'email' });
    expect([isSvcError(error), isSvcError(error, 'email.send'), isSvcError(new Error('other'))]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('says what baseUrl must be where plain JavaScript passes none, or something else', () => {
    for (const [options, given] of [
      [{}, 'is undefined'],
      [undefined, 'is undefined'],
      [{ baseUrl: new URL('http://127.0.0.1') }, 'is of type object'],
      [{ baseUrl: null }, 'is of type null'],
    ] as const)
      expect(() => void Reflect.construct(Svc, [options])).to.throw(
        TypeError,
        `new Svc() needs baseUrl, but it ${given}. Pass the server’s address`,
      );
  });

  it('says that a baseUrl with https leads to a port of http', async () => {
    const baseUrl = platform.running.address.replace('http:', 'https:');
    const error = await rejectionOf(new Svc({ baseUrl, apiKey: 'svc_test_key', maxRetries: 0 }).account.get());
    expect(error).to.have.property(
      'message',
      'account.get got no response: the server does not speak TLS at that port.',
    );
    expect(error).to.have.property('fix').that.contains('Let baseUrl begin with http://');
  });

  it('calls public operations without a key, and reports unauthenticated for the others', async () => {
    const svc = new Svc({ baseUrl: platform.running.address });
    expect(await rejectionOf(svc.account.invite.describe({ token: `svc_iv_${'A'.repeat(43)}` }))).to.include({
      code: 'not_found',
    });
    expect(await rejectionOf(svc.account.get())).to.include({ code: 'unauthenticated', status: 401 });
  });

  itNeeding('email')('performs a write once when its response is lost', async () => {
    const account = await platform.account();
    const to = (): string => platform.running.address;
    script.plays(losesAnswer(to), refuses(503, 'unavailable'), forwards(to));
    const svc = client(account, { baseUrl: script.address, sleep: async () => undefined });
    const { member } = await svc.account.member.invite({ email: 'twice@example.com' });
    expect(script.arrived).to.have.length(3);
    const { members } = await svc.account.member.list();
    expect(members.filter(({ email }) => email === 'twice@example.com').map(({ id }) => id)).to.deep.equal([member.id]);
    const invited = (await platform.events(account.live)).filter(({ type }) => type === 'account.member.invited');
    expect(invited).to.have.length(1);
  });

  itNeeding('email')('returns the audit record’s id, and whether the response was replayed', async () => {
    const svc = client(await platform.account());
    const invite = (): ReturnType<typeof svc.envelope<'account.member.invite'>> =>
      svc.envelope('account.member.invite', { email: 'ada@example.com' }, { idempotencyKey: 'invite-ada' });
    const first = await invite();
    const repeat = await invite();
    expect([first.replayed, repeat.replayed]).to.deep.equal([false, true]);
    expect(repeat).to.include({ activityId: first.activityId });
    expect(first.activityId).to.match(/^[0-9a-f-]{36}$/);
    expect(first.result.member.email).to.equal('ada@example.com');
  });

  itNeeding('email')(
    'iterates over a list of several pages, and fetches no more pages than the loop needs',
    async () => {
      const svc = client(await platform.account());
      for (let count = 0; count < 5; count += 1) await svc.account.member.invite({ email: `m${count}@example.com` });
      const whole = await svc.account.member.list({ limit: 100 });
      const seen: string[] = [];
      for await (const member of svc.account.member.list.all({ limit: 2 })) seen.push(member.email);
      expect(seen).to.deep.equal(whole.members.map(({ email }) => email));
      expect(seen).to.have.length(6);
      const some: string[] = [];
      for await (const member of svc.account.member.list.all({ limit: 2 })) if (some.push(member.email) === 3) break;
      expect(some).to.deep.equal(seen.slice(0, 3));
    },
  );

  it('calls operations by name that this version does not know', async () => {
    const svc = client(await platform.account());
    expect(await svc.call('account.get', {})).to.have.property('memberCount', 1);
    const error = await rejectionOf(svc.call('email.postcard.send', { to: 'ada' }));
    expect(error).to.include({ code: 'unknown_operation', status: 404, operation: 'email.postcard.send' });
  });

  it('sends the environment of a dashboard session as Svc-Environment', async () => {
    script.plays(answers({}));
    const svc = client(await platform.account(), { baseUrl: script.address, environmentId: 'one' });
    await svc.account.get();
    await svc.account.get({}, { environmentId: 'another' });
    expect(script.arrived.map(({ headers }) => headers['svc-environment'])).to.deep.equal(['one', 'another']);
    expect(script.arrived[0]).to.deep.include({ path: '/account/get', body: '{}' });
  });

  it('uses the given fetch', async () => {
    const asked: string[] = [];
    const fetch = async (url: string): Promise<FetchAnswer> => {
      asked.push(url);
      return { status: 200, headers: new Headers(), text: async () => '{"activityId":"","result":{"memberCount":7}}' };
    };
    const svc = new Svc({ baseUrl: 'https://svc.example.com/', fetch });
    expect((await svc.account.get()).memberCount).to.equal(7);
    expect(asked).to.deep.equal(['https://svc.example.com/account/get']);
  });

  it('passes on fields that a newer server adds to a reply', async () => {
    script.plays(answers({ account: { id: 'a', tier: { name: 'gold' } }, memberCount: 1, further: [1] }));
    const svc = client(await platform.account(), { baseUrl: script.address });
    const reply = await svc.account.get();
    expect(reply).to.deep.include({ further: [1] });
    expect(reply.account).to.deep.include({ tier: { name: 'gold' } });
  });
});
