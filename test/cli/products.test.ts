import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { runSvc, useConfigFolder } from './support.js';

describe('svc --help for a server without some products', function () {
  this.timeout(60_000);
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'account,developers' }) });
  const config = useConfigFolder();

  it('says which are off once somebody has logged in there, and calls no server', async () => {
    const before = await runSvc(['--help'], { config });
    expect(before.stdout).to.contain('email').and.not.contain('Off on this server');
    const { keys } = await platform.account();
    const words = ['login', '--key', keys.test.secret, '--base-url', platform.running.address];
    const login = await runSvc(words, { config });
    expect(login.code, login.stderr).to.equal(0);
    const { stdout } = await runSvc(['help'], { config });
    expect(stdout)
      .to.match(/^ +email +Off on this server\. /m)
      .and.match(/^ +sms +Off on this server\. /m);
    expect(stdout)
      .to.match(/^ +developers +(?!Off)/m)
      .and.not.match(/^ +account +Off/m);
    expect((await runSvc(['email', '--help'], { config })).stdout).to.contain('Off on this server. ');
    const other = await runSvc(['--help'], { config, env: { SVC_API_URL: 'http://127.0.0.1:1' } });
    expect([other.code, other.stdout.includes('Off on this server')]).to.deep.equal([0, false]);
  });
});

describe('svc --help for a server without a product that some operations require', function () {
  this.timeout(60_000);
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'email' }) });
  const config = useConfigFolder();

  it('marks these operations, and the groups that hold nothing else', async () => {
    const { keys } = await platform.account();
    const login = await runSvc(['login', '--key', keys.test.secret, '--base-url', platform.running.address], {
      config,
    });
    expect(login.code, login.stderr).to.equal(0);
    const email = (await runSvc(['email', '--help'], { config })).stdout;
    expect(email)
      .to.match(/^ +broadcast +Off on this server\. /m)
      .and.match(/^ +message +(?!Off)/m);
    const member = (await runSvc(['account', 'member', '--help'], { config })).stdout;
    expect(member)
      .to.match(/^ +accept +Off on this server\. /m)
      .and.match(/^ +invite +(?!Off)/m);
    expect((await runSvc(['sms', '--help'], { config })).stdout.match(/Off on this server/g)).to.have.length(1);
  });
});
