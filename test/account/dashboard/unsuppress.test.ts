import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { idBytes } from '#core/runtime/id.js';
import { suppressions } from '#plugins/audience/ports.js';
import { dashboardKeyText } from '#plugins/developers/keys/dashboard-key.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { apiAt, type Api } from '#test/support/api.js';
import { itNeeding } from '#test/support/products.js';
import { runScript } from '#test/support/run-script.js';
import { dashboardOf } from './support.js';

describe('npm run bootstrap -- --unsuppress', function () {
  this.timeout(120_000);
  const mail = useSignInMail();
  const { platform } = mail;

  /** Runs the script beside the running server, as an operator does. */
  const bootstrap = (...words: string[]): Promise<{ code: number | null; printed: string }> =>
    runScript('scripts/bootstrap.ts', words, {
      SVC_DATABASE_URL: platform.databaseUrl,
      SVC_SECRET_KEY: platform.secretKey,
      SVC_STATE_DIR: platform.running.services.deployment.settings.stateDir,
    });

  /** Calls of the dashboard's own sign-in. */
  const signInPage = ({ id }: Environment): Api =>
    apiAt(
      () => platform.running.address,
      () => dashboardKeyText(platform.running.services.vault, id),
      () => platform.running.registry,
    );

  const bounce = (environment: Environment, address: string): Promise<void> =>
    platform.running.services.transaction('Test', async ({ use, actIn }) => {
      actIn(environment);
      const facts = { channel: 'email', address, reason: 'bounce', note: null } as const;
      await use(suppressions).add(environment, facts);
    });

  const active = (environment: Environment): Promise<number> =>
    platform.count(
      'audience_suppression',
      `active = 1 AND environment_id = 0x${idBytes(environment.id).toString('hex')}`,
    );

  const audited = async ({ id }: Environment): Promise<{ operation: string; actor: string; changes: string }[]> => {
    const rows = await platform.running.services.database.rows<{
      operation: Buffer;
      actor_label: string;
      changes: string;
    }>('SELECT operation, actor_label, changes FROM svc_activity WHERE environment_id = ? ORDER BY id', [idBytes(id)]);
    return rows.map((row) => ({ operation: row.operation.toString(), actor: row.actor_label, changes: row.changes }));
  };

  itNeeding('audience')(
    'sends sign-in codes again to an owner whose address bounced, in the dashboard alone, and is audited',
    async () => {
      const { ownerEmail, live } = await platform.account();
      const dashboard = await dashboardOf(platform);
      await Promise.all([bounce(dashboard, ownerEmail), bounce(live, ownerEmail)]);
      const page = signInPage(dashboard);
      // The first three codes of a day are sent all the same, because the person asks for them.
      for (let count = 0; count < 4; count += 1) await page.call('auth.signin.start', { email: ownerEmail });
      await platform.settled();
      expect(mail.smtp.received).to.have.length(3);

      const { code, printed } = await bootstrap('--unsuppress', ownerEmail.toUpperCase());
      expect(printed).to.contain(`Sign-in mail of the dashboard is sent to ${ownerEmail.toUpperCase()} again.\n`);
      expect(code).to.equal(0);
      expect([await active(dashboard), await active(live)]).to.deep.equal([0, 1]);
      await page.call('auth.signin.start', { email: ownerEmail });
      await mail.smtp.waitFor(4);
      expect(await mail.codeTo(ownerEmail)).to.match(/^\d{6}$/);
      const record = (await audited(dashboard)).find(({ operation }) => operation === 'audience.suppression.lift');
      expect(record?.actor).to.equal('npm run bootstrap');
      expect(record?.changes).to.contain('liftedAt');
      expect((await platform.events(dashboard)).map(({ type }) => type)).to.include('audience.suppression.lifted');
    },
  );

  itNeeding('audience')(
    'changes nothing where no bounce keeps the mail back, and leaves what the person asked for',
    async () => {
      const dashboard = await dashboardOf(platform);
      await platform.running.services.transaction('Test', async ({ use, actIn }) => {
        actIn(dashboard);
        const facts = { channel: 'email', address: 'cross@example.com', reason: 'complaint', note: null } as const;
        await use(suppressions).add(dashboard, facts);
      });
      const { code, printed } = await bootstrap('--unsuppress', 'cross@example.com');
      expect(printed).to.contain('Nothing was changed.');
      expect(code).to.equal(0);
      expect(await active(dashboard)).to.equal(1);
    },
  );

  it('says how it is used when it is asked for both at once', async () => {
    const { code, printed } = await bootstrap(
      '--unsuppress',
      'a@example.com',
      '--name',
      'Acme',
      '--email',
      'a@example.com',
    );
    expect(code).to.equal(2);
    expect(printed).to.contain('--unsuppress owner@example.com');
  });
});
