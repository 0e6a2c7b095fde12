import { expect } from 'chai';
import { freshDomain, useDomains, verifiedDomain } from '#test/email/domain/support.js';
import { hours } from '#test/support/clock.js';
import { runScript } from '#test/support/run-script.js';

const mailDomain = 'mail.shop.example';

describe('A command beside the server', function () {
  this.timeout(120_000);
  const { mail, platform, names } = useDomains({
    SVC_MAIL_DOMAIN: mailDomain,
    SVC_BASE_URL: 'http://localhost:8099',
  });

  /** Rotates the keys of a domain in a process of its own, with these settings beside those that find the database. */
  const rotate = (domain: string, settings: Readonly<Record<string, string>> = {}) =>
    runScript('scripts/domain-keys.ts', ['rotate', domain], {
      SVC_DATABASE_URL: platform.databaseUrl,
      SVC_SECRET_KEY: platform.secretKey,
      SVC_STATE_DIR: platform.running.services.deployment.settings.stateDir,
      ...settings,
    });

  it('has the mail domain of the server, without a setting', async () => {
    const { svc, ownerEmail } = await platform.account();
    const { domain } = await verifiedDomain(svc, names.dns, freshDomain());
    const { code, printed } = await rotate(domain);
    expect(code, printed).to.equal(0);
    // What the script queued is due by the machine's clock, which is ahead of the platform's.
    platform.clock.advance(hours(1));
    await platform.settled();
    const received = await mail.smtp.waitFor((all) => all.some(({ recipients }) => recipients.includes(ownerEmail)));
    const notice = received.find(({ recipients }) => recipients.includes(ownerEmail));
    expect(notice?.parsed.headers.find(({ key }) => key === 'from')?.value).to.match(
      /@shop-[a-z0-9]+\.mail\.shop\.example>?$/,
    );
  });

  it('is refused where its environment has others than the server, and names each with how to correct it', async () => {
    const { svc } = await platform.account();
    const { id, domain } = await verifiedDomain(svc, names.dns, freshDomain());
    const wrong = { SVC_MAIL_DOMAIN: 'mail.other.example', SVC_BASE_URL: 'https://svc.example.com' };
    const { code, printed } = await rotate(domain, wrong);
    expect(code).to.equal(1);
    expect(printed)
      .to.contain(
        `SVC_MAIL_DOMAIN is mail.other.example here, and ${mailDomain} at the last start of the server. Remove it`,
      )
      .and.contain('SVC_BASE_URL is https://svc.example.com here, and http://localhost:8099 at')
      .and.not.match(/^ +at /m);
    const { records } = (await svc.call('email.domain.get', { domainId: id })).domain;
    expect(records.filter(({ purpose }) => purpose === 'dkim')).to.have.length(2);
  });

  it('may have the server’s own settings, in another notation too', async () => {
    const same = { SVC_MAIL_DOMAIN: mailDomain, SVC_BASE_URL: 'http://localhost:8099/', SVC_MAIL_RETURN_HOST: '' };
    const { code, printed } = await runScript('scripts/domain-keys.ts', ['list'], {
      SVC_DATABASE_URL: platform.databaseUrl,
      SVC_SECRET_KEY: platform.secretKey,
      ...same,
    });
    expect(code, printed).to.equal(0);
  });

  it('says of a recorded value that this version refuses where it stands, and how to change it', async () => {
    const { database } = platform.running.services;
    const record = (value: string): Promise<unknown> =>
      database.run("UPDATE svc_setting SET value = ? WHERE variable = 'SVC_BASE_URL'", [value]);
    await record('https://svc.example.com/under/a/path');
    const { code, printed } = await rotate('shop.example');
    await record('http://localhost:8099');
    expect(code).to.equal(1);
    expect(printed)
      .to.match(
        /SVC_BASE_URL must be only a scheme, host and port.*\n.*the value of the server’s last start, with an earlier version/,
      )
      .and.contain('Start the server once with a valid value')
      .and.not.match(/^ +at /m);
  });

  it('follows the server’s next start', async () => {
    await platform.restart({ SVC_MAIL_DOMAIN: 'mail.new.example' });
    const { code, printed } = await rotate('shop.example', { SVC_MAIL_DOMAIN: mailDomain });
    expect(code).to.equal(1);
    expect(printed).to.contain(`SVC_MAIL_DOMAIN is ${mailDomain} here, and mail.new.example at`);
  });
});
