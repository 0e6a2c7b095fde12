import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import type { Environment } from '#core/kernel/caller/caller.js';
import { checkAccessToken, checkingOf } from '#plugins/auth/sessions/check-token.js';
import { signingKeys } from '#plugins/auth/tables/signing-key.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('An access token', () => {
  const platform = usePlatform();

  it('verifies with an independent library, and says whose session it is', async () => {
    const { live } = await platform.account();
    const { accessToken, userId, sessionId } = await signedIn(platform, live);
    const { kid = '', alg, typ } = decodeProtectedHeader(accessToken);
    expect({ alg, typ }).to.deep.equal({ alg: 'ES256', typ: 'JWT' });
    const row = await platform.running.services.database.findOne(signingKeys, { id: kid });
    const key = await importJWK(row?.publicJwk ?? {}, 'ES256');
    const { payload } = await jwtVerify(accessToken, key, {
      audience: live.id,
      issuer: platform.running.services.deployment.baseUrl,
      currentDate: platform.clock.now(),
    });
    expect(payload).to.include({ sub: userId, sid: sessionId, fam: sessionId, mfa: false });
    expect(payload['amr']).to.deep.equal(['code']);
    expect(Number(payload.exp) - Number(payload.iat)).to.equal(900);
  });

  it('counts while its session lives and until it expires, in its environment alone', async () => {
    const { live, test } = await platform.account();
    const { accessToken, userId } = await signedIn(platform, live);
    const check = async (environment: Environment) => {
      const checked = await checkAccessToken(checkingOf(platform.running.services), environment, accessToken);
      return checked.valid ? checked.user.id : checked.problem;
    };
    expect(await check(live)).to.equal(userId);
    expect(await check(test)).to.equal('wrong_signature');
    platform.clock.advance(minutes(15));
    expect(await check(live)).to.equal('expired');
  });

  it('is taken by every operation and fits into a header of 8 KiB, also with all the claims that it may have', async () => {
    const { live, svc, keys } = await platform.account();
    const { userId } = await signedIn(platform, live);
    await svc.call('auth.signingKey.rotate', { algorithm: 'RS256' });
    platform.clock.advance(minutes(5));
    await svc.call('auth.settings.set', { claims: { facts: 'facts' } });
    await svc.call('auth.user.update', { userId, metadata: { facts: 'x'.repeat(4_096 - '{"facts":""}'.length) } });
    const { accessToken } = await signedIn(platform, live);
    expect(decodeJwt(accessToken)['facts']).to.have.length(4_084);
    expect(`Authorization: Bearer ${accessToken}\r\n`.length).to.be.lessThan(8_192);
    const asUser = { key: keys.live.publishable };
    expect((await svc.call('auth.session.verify', { accessToken })).valid).to.equal(true);
    expect((await svc.call('auth.me.get', { accessToken }, asUser)).user.id).to.equal(userId);
    const redirectTo = `${platform.running.services.deployment.baseUrl}/auth/${live.id}/account`;
    const linking = { provider: 'google', redirectTo, accessToken };
    // Past the token, to what is wrong with the call.
    expect((await svc.refusal('auth.oauth.start', linking, asUser)).code).to.equal('provider_not_configured');
  });
});
