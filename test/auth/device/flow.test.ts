import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { signedIn, type SignedIn } from '#test/auth/support.js';
import { minutes, seconds } from '#test/support/clock.js';
import { usePlatform, type TestAccount, type TestNode } from '#test/support/platform.js';

describe('Sign-in of a device', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  const asApp = ({ keys }: TestAccount): { key: string } => ({ key: keys.live.publishable });
  const started = (account: TestAccount) =>
    account.svc.call('auth.device.start', { clientName: 'svc command line', scope: 'everything' }, asApp(account));
  const pollCode = async (account: TestAccount, deviceCode: string): Promise<string> =>
    (await account.svc.refusal('auth.device.poll', { deviceCode }, asApp(account))).code;
  const approve = (account: TestAccount, { accessToken }: SignedIn, userCode: string) =>
    account.svc.call('auth.device.approve', { accessToken, userCode }, asApp(account));

  it('shows a code, describes itself to the person, and gets the tokens of a session of its own once it is approved', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const headers = { 'User-Agent': 'svc-cli/1.0' };
    const asked = { clientName: 'svc command line', scope: 'everything' };
    const device = await svc.call('auth.device.start', asked, { ...asApp(account), headers });
    expect(device.userCode).to.match(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const { baseUrl } = platform.running.services.deployment;
    expect(device.verificationUrl).to.equal(`${baseUrl}/auth/${live.id}/device`);
    expect(device.verificationUrlComplete).to.equal(`${device.verificationUrl}?user_code=${device.userCode}`);
    expect(device.intervalSeconds).to.equal(5);
    expect(Date.parse(device.expiresAt) - platform.clock.now().getTime()).to.equal(minutes(10));

    const pending = await svc.refusal('auth.device.poll', { deviceCode: device.deviceCode }, asApp(account));
    expect(pending).to.include({ status: 409, code: 'device_pending' });

    const person = await signedIn(platform, live, { methods: ['password', 'totp'], mfa: true });
    const typed = device.userCode.toLowerCase().replace('-', ' ');
    const { accessToken } = person;
    const described = await svc.call('auth.device.describe', { accessToken, userCode: typed }, asApp(account));
    expect(described).to.deep.equal({
      ...asked,
      requestedFrom: { ip: '127.0.0.1', location: null, userAgent: 'svc-cli/1.0' },
      expiresAt: device.expiresAt,
    });
    platform.clock.advance(minutes(3));
    expect(await approve(account, person, typed)).to.deep.equal({ approved: true });

    const { tokens, user } = await svc.call('auth.device.poll', { deviceCode: device.deviceCode }, asApp(account));
    expect(user.id).to.equal(person.userId);
    const [own, theirs] = [decodeJwt(tokens.accessToken), decodeJwt(accessToken)];
    expect(own['sid']).to.not.equal(person.sessionId);
    // The person did not prove again who they are: the device is no more recently signed in than the session that
    // approved it.
    expect(own).to.deep.include({ amr: ['password', 'totp'], mfa: true, auth_time: theirs['auth_time'] });
    const types = (await platform.events(live))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('auth.device.'));
    expect(types).to.deep.equal(['auth.device.started', 'auth.device.approved', 'auth.device.completed']);
    platform.clock.advance(seconds(5));
    expect(await pollCode(account, device.deviceCode)).to.equal('challenge_expired');
  });

  it('is approved only by a recent sign-in: an access token alone becomes no session', async () => {
    const account = await platform.account();
    const person = await signedIn(platform, account.live);
    platform.clock.advance(minutes(11));
    const device = await started(account);
    const { tokens } = await account.svc.call(
      'auth.session.refresh',
      { refreshToken: person.refreshToken },
      asApp(account),
    );
    const decision = { accessToken: tokens.accessToken, userCode: device.userCode };
    const refused = await account.svc.refusal('auth.device.approve', decision, asApp(account));
    expect(refused).to.include({ status: 403, code: 'reauth_required' });
    expect(await pollCode(account, device.deviceCode)).to.equal('device_pending');
  });

  it('hands the tokens out once, however many polls come at once on two nodes', async () => {
    const account = await platform.account();
    const device = await started(account);
    await approve(account, await signedIn(platform, account.live), device.userCode);
    const nodes = [platform.api, second.node?.as('') ?? platform.api];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (nodes[index % 2] ?? platform.api).raw(
          '/auth/device/poll',
          JSON.stringify({ deviceCode: device.deviceCode }),
          asApp(account),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(
      await platform.count('auth_session', `user_agent IS NOT NULL AND environment_id = x'${hex(account.live.id)}'`),
    ).to.equal(1);
  });

  it('may ask every five seconds; asking faster costs nothing more', async () => {
    const account = await platform.account();
    const { deviceCode } = await started(account);
    expect(await pollCode(account, deviceCode)).to.equal('device_pending');
    platform.clock.advance(seconds(4));
    const refused = await account.svc.refusal('auth.device.poll', { deviceCode }, asApp(account));
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.fix).to.contain('1 second');
    platform.clock.advance(seconds(1));
    expect(await pollCode(account, deviceCode)).to.equal('device_pending');
  });

  it('can be denied, is decided once, and expires after ten minutes', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { accessToken } = await signedIn(platform, account.live);
    const denied = await started(account);
    const decision = { accessToken, userCode: denied.userCode };
    expect(await svc.call('auth.device.deny', decision, asApp(account))).to.deep.equal({ denied: true });
    expect((await svc.refusal('auth.device.approve', decision, asApp(account))).code).to.equal('challenge_used');
    expect((await svc.refusal('auth.device.deny', decision, asApp(account))).code).to.equal('challenge_used');
    expect((await svc.refusal('auth.device.describe', decision, asApp(account))).code).to.equal('challenge_expired');
    expect(await pollCode(account, denied.deviceCode)).to.equal('device_denied');
    const types = (await platform.events(account.live)).map(({ type }) => type);
    expect(types).to.include('auth.device.denied');

    const late = await started(account);
    platform.clock.advance(minutes(10));
    const again = await signedIn(platform, account.live);
    const lateDecision = { accessToken: again.accessToken, userCode: late.userCode };
    expect((await svc.refusal('auth.device.approve', lateDecision, asApp(account))).code).to.equal('challenge_expired');
    expect((await svc.refusal('auth.device.describe', lateDecision, asApp(account))).code).to.equal(
      'challenge_expired',
    );
    expect(await pollCode(account, late.deviceCode)).to.equal('challenge_expired');
    expect(await pollCode(account, 'svc_dc_unknown')).to.equal('challenge_expired');
  });

  it('gets nothing when the user was banned, or the session that approved it was taken away, before it asked', async () => {
    const account = await platform.account();
    const person = await signedIn(platform, account.live);
    const first = await started(account);
    await approve(account, person, first.userCode);
    await account.svc.call('auth.session.revoke', { sessionId: person.sessionId });
    expect(await pollCode(account, first.deviceCode)).to.equal('device_denied');

    const other = await signedIn(platform, account.live);
    const next = await started(account);
    await approve(account, other, next.userCode);
    await account.svc.call('auth.user.ban', { userId: other.userId });
    expect(await pollCode(account, next.deviceCode)).to.equal('user_banned');
    // The ban ended the session that approved it, and lifting the ban does not bring that back.
    await account.svc.call('auth.user.unban', { userId: other.userId });
    expect(await pollCode(account, next.deviceCode)).to.equal('device_denied');
  });

  it('still gets its tokens when the person signed out of the browser meanwhile', async () => {
    const account = await platform.account();
    const person = await signedIn(platform, account.live);
    const device = await started(account);
    await approve(account, person, device.userCode);
    await account.svc.call('auth.session.signout', { refreshToken: person.refreshToken }, asApp(account));
    const { user } = await account.svc.call('auth.device.poll', { deviceCode: device.deviceCode }, asApp(account));
    expect(user.id).to.equal(person.userId);
  });

  it('stays within its environment', async () => {
    const account = await platform.account();
    const device = await started(account);
    const { accessToken } = await signedIn(platform, account.test);
    const input = { accessToken, userCode: device.userCode };
    const inTest = { key: account.keys.test.publishable };
    expect((await account.svc.refusal('auth.device.approve', input, inTest)).code).to.equal('challenge_expired');
    const poll = { deviceCode: device.deviceCode };
    expect((await account.svc.refusal('auth.device.poll', poll, inTest)).code).to.equal('challenge_expired');
  });

  it('is limited per IP address: starts, descriptions, and decisions of both kinds together', async () => {
    const account = await platform.account();
    const { accessToken } = await signedIn(platform, account.live);
    const guess = { accessToken, userCode: 'BBBB-BBBB' };
    const codesOf = async (name: string, input: object, times: number): Promise<string[]> => {
      const codes: string[] = [];
      for (let call = 0; call < times; call += 1)
        codes.push((await account.svc.refusal(name, input, asApp(account))).code);
      return codes;
    };
    for (let call = 0; call < 20; call += 1) await started(account);
    expect(await codesOf('auth.device.start', { clientName: 'x' }, 1)).to.deep.equal(['rate_limited']);
    expect((await codesOf('auth.device.describe', guess, 31)).indexOf('rate_limited')).to.equal(30);
    expect(new Set(await codesOf('auth.device.approve', guess, 10))).to.deep.equal(new Set(['challenge_expired']));
    expect((await codesOf('auth.device.deny', guess, 11)).indexOf('rate_limited')).to.equal(10);
  });
});

const hex = (id: string): string => id.replaceAll('-', '');
