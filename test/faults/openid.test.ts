import { expect } from 'chai';
import { decodeJwt } from 'jose';
import type { Configuration } from 'openid-client';
import { follow, leftOf, redeem, redirectUrl, relyingParty, startedBy } from '#test/auth/openid/app.js';
import { codeOf } from '#test/auth/openid/refusal.js';
import { visitor } from '#test/auth/pages/visitor.js';
import { freePort } from '#test/support/free-port.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { openStage, type Stage } from './support/stage.js';

describe('kill -9 between the steps of a sign-in to an app', function () {
  this.timeout(300_000);
  needProducts('auth', 'email');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  it('uses a code at most once and loses no session: the app sends the person again, who sees no page', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { mail, askPublishable, askLive } = stage;
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const settings = { SVC_PORT: String(port), SVC_BASE_URL: address };
    const at = { platform: { running: { address, services: { deployment: { baseUrl: address } } } } };

    let node = await stage.start({ settings });
    const apps = { grafana: { name: 'Grafana', redirectUrls: [redirectUrl] } };
    const secret = textAt(await askLive(node, 'auth.settings.set', { apps }), 'appSecrets', 'grafana');
    const started = await askPublishable(node, 'auth.signin.start', { email: 'ada@example.com' });
    const [received] = await mail.waitFor(1, 30_000);
    const code = /\b\d{6}\b/.exec(received?.parsed.text ?? '')?.[0] ?? '';
    const input = { challengeId: textAt(started, 'challengeId'), code };
    const done = await askPublishable(node, 'auth.signin.verify', input);
    const accessToken = textAt(done, 'tokens', 'accessToken');
    const environmentId = String(decodeJwt(accessToken).aud);
    const browser = visitor(at.platform);
    browser.keep(`svc_access_${environmentId}`, accessToken);
    browser.keep(`svc_refresh_${environmentId}`, textAt(done, 'tokens', 'refreshToken'));
    const config = await relyingParty(at, { live: { id: environmentId } }, secret);
    const newCode = async (of: Configuration) => {
      const begun = await startedBy(of);
      return { begun, left: leftOf(await follow(at, browser, begun.url)) };
    };

    // The process that made the code is killed before the app asks for tokens. The next one is killed after the code
    // was used, before the tokens are stored; or after that, before the answer.
    for (const fault of ['openid.consumed:1', 'openid.stored:1']) {
      const next = await newCode(config);
      await node.kill();
      node = await stage.start({ settings, fault });
      const outcome = await redeem(config, next.begun, next.left).then(
        () => 'tokens',
        () => 'nothing',
      );
      expect(outcome, fault).to.equal('nothing');
      await node.diedAtPoint();
      node = await stage.start({ settings });
      expect(await codeOf(redeem(config, next.begun, next.left)), fault).to.equal('invalid_grant');
      const again = await newCode(config);
      expect((await redeem(config, again.begun, again.left)).access_token, fault).to.be.a('string');
    }
    expect(await node.stop()).to.equal('0');
  });
});
