import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { nodeProblem } from '#core/runtime/node-version.js';
import { newRootKey } from '#core/runtime/secrets/root-key.js';
import { selfSigned } from '#test/support/certificate.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { usePlainUser } from '#test/support/read-only.js';
import { startSmtpReceiver } from '#test/support/smtp-receiver.js';
import { pem, submissionPort, submissionSettings } from '#test/email/submission/support.js';
import { runSvc, useConfigFolder } from './support.js';

describe('svc doctor', function () {
  this.timeout(40_000);
  const platform = usePlatform();
  const submission = usePlatform({ settings: () => submissionSettings });
  const config = useConfigFolder();
  const plain = usePlainUser();
  /** The settings of a server on this machine. */
  const own = () => ({ SVC_DATABASE_URL: platform.databaseUrl, SVC_SECRET_KEY: newRootKey() });

  it('reports no problem on a healthy server', async () => {
    const { keys } = await platform.account();
    const { code, stdout, stderr } = await runSvc(['doctor', '--base-url', platform.running.address], {
      config,
      key: keys.test.secret,
    });
    expect(code, stdout + stderr).to.equal(0);
    for (const what of ['server', 'ready', 'clock', 'operations', 'key'])
      expect(stdout).to.match(new RegExp(`^ok +${what} `, 'm'));
    // A version of Node without security fixes is not yet a problem, and does not change the exit code.
    const node = nodeProblem();
    if (node) expect(stdout).to.match(/^warning +versions .*\n +fix: Install Node 22 or 24\.$/m);
    else expect(stdout).to.match(/^ok +versions /m);
    expect(stdout).not.to.match(/^\S+ +(settings|database) /m);
  });

  it('checks the port of SMTP submission and its certificate', async () => {
    const { keys } = await submission.account();
    const port = String(submissionPort(submission));
    const tlsPort = String(submissionPort(submission, true));
    const found = async (env: Record<string, string>): Promise<string[]> => {
      const settings = { ...own(), ...submissionSettings, SVC_SUBMISSION_PORT: port, SVC_SUBMISSIONS_PORT: tlsPort };
      const { stdout } = await runSvc(['doctor', '--base-url', submission.running.address], {
        config,
        key: keys.test.secret,
        env: { ...settings, ...env },
      });
      return stdout.split('\n').filter((line) => /^\S+ +submission /.test(line));
    };
    const trusted = { SVC_BASE_URL: 'http://localhost:3000', NODE_EXTRA_CA_CERTS: pem('ca') };
    for (const line of await found(trusted)) expect(line).to.match(/^ok .* answers, and its certificate for localhost/);
    expect(await found(trusted)).to.have.length(2);
    const [untrusted] = await found({ SVC_BASE_URL: 'http://localhost:3000' });
    expect(untrusted).to.match(/^problem .*do not trust the certificate/);
    const [misnamed] = await found({ ...trusted, SVC_SUBMISSION_HOST: 'smtp.other.example' });
    expect(misnamed).to.match(/^problem .*does not name smtp\.other\.example/);
    const [absent] = await found({ ...trusted, SVC_SUBMISSION_PORT: '1' });
    expect(absent).to.match(/^problem .*on port 1 cannot be used/);
  });

  it('reports problems with their fixes, and exits with 1', async () => {
    const mute = createServer((socket) => void socket.resume().end('SSH-2.0-nothing\r\n'));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const address = mute.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const [absent, settings, typo] = await Promise.all([
      runSvc(['doctor', '--base-url', 'http://127.0.0.1:2'], { config }),
      runSvc(['doctor', '--base-url', platform.running.address, '--json'], {
        config,
        key: 'svc_test_wrong',
        env: {
          SVC_DATABASE_URL: platform.databaseUrl.replace(/:\/\/[^@]*@/, '://nobody:hidden@'),
          SVC_SMTP_URL: `smtp://127.0.0.1:${port}`,
          SVC_BASE_URL: 'https://svc.no-such-name.invalid',
        },
      }),
      runSvc(['doctor', '--base-url', platform.running.address], { config, env: { SVC_PROT: '80' } }),
    ]);
    await new Promise((resolve) => mute.close(resolve));
    expect([absent.code, settings.code, typo.code]).to.deep.equal([1, 1, 1]);
    expect(absent.stdout).to.match(/^problem +server +http:\/\/127\.0\.0\.1:2 cannot be reached: .*\n +fix: /m);
    expect(typo.stdout).to.contain('Did you mean SVC_PORT?');
    const findings: unknown = JSON.parse(settings.stdout);
    const wrong = Array.isArray(findings)
      ? findings
          .filter((each: { status: string }) => each.status === 'problem')
          .map((each: { check: string }) => each.check)
      : [];
    expect(wrong).to.include.members(['key', 'database', 'mail', 'dns']);
    expect(settings.stdout).not.to.contain('hidden');
  });

  it('says that the database is read-only', async () => {
    const SVC_DATABASE_URL = await plain.create(platform.databaseUrl);
    await plain.setReadOnly(true);
    const { code, stdout } = await runSvc(['doctor', '--base-url', platform.running.address], {
      config,
      env: { ...own(), SVC_DATABASE_URL },
    });
    await plain.setReadOnly(false);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^problem +database +The database \S+ at \S+ is read-only\.\n +fix: /m);
    expect(stdout).not.to.match(/^ok +database .* answers/m);
  });

  it('finds a mail server that cannot be used: its login, its certificate, its port', async () => {
    const login = { user: 'svc', password: 'right' };
    const relay = await startSmtpReceiver({ login });
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const selfSignedServer = createTlsServer(
      { key, cert: selfSigned(keys) },
      (socket) => void socket.end('220 hello\r\n'),
    );
    await new Promise<void>((resolve) => selfSignedServer.listen(0, '127.0.0.1', resolve));
    const tlsPort = at(selfSignedServer.address(), 'port');
    const found = async (SVC_SMTP_URL: string): Promise<string> =>
      (await runSvc(['doctor', '--base-url', platform.running.address], { config, env: { ...own(), SVC_SMTP_URL } }))
        .stdout;
    try {
      const wrong = await found(`smtp://svc:wrong-secret@127.0.0.1:${relay.port}`);
      expect(wrong).to.match(
        /^problem +mail +127\.0\.0\.1:\d+ cannot be used: .*535.*\n +fix: Correct user and password/m,
      );
      expect(wrong).not.to.contain('wrong-secret');
      expect(await found(`smtps://127.0.0.1:${relay.port}`)).to.match(
        /^problem +mail +\S+ cannot be used: TLS failed: wrong version number\.\n +fix: .*port 465 needs smtps/m,
      );
      expect(await found(`smtps://127.0.0.1:${String(tlsPort)}`)).to.match(
        /^problem +mail +\S+ cannot be used: .*certificate.*\n +fix: .*NODE_EXTRA_CA_CERTS/m,
      );
      expect(await found(relay.url)).to.match(/^ok +mail +\S+ answers, and takes user and password\./m);
    } finally {
      await relay.close();
      await new Promise((resolve) => selfSignedServer.close(resolve));
    }
  });

  it('asks the server at SVC_PORT where no address is given', async () => {
    const { stdout } = await runSvc(['doctor'], { config, env: { SVC_PORT: new URL(platform.running.address).port } });
    expect(stdout).to.match(/^ok +server /m);
  });

  it('checks the database and the mail server of its own machine', async () => {
    const smtp = await startSmtpReceiver();
    const { keys } = await platform.account();
    const checked = async (owner: Record<string, string>): Promise<string> =>
      (
        await runSvc(['doctor', '--base-url', platform.running.address], {
          config,
          key: keys.test.secret,
          env: { ...own(), SVC_SMTP_URL: smtp.url, ...owner },
        })
      ).stdout;
    const stdout = await checked({});
    const withOwner = await checked({ SVC_OWNER_EMAIL: 'ada@example.com' });
    const asJson = await runSvc(['doctor', '--base-url', platform.running.address, '--json'], { config, env: own() });
    await smtp.close();
    expect(stdout).to.match(/^problem +owner +SVC_OWNER_EMAIL is not set: .*\n +fix: Set SVC_OWNER_EMAIL/m);
    expect(withOwner).to.match(/^ok +owner +SVC_OWNER_EMAIL is ada@example\.com\./m);
    expect(stdout).to.match(/^ok +settings +SVC_DATABASE_URL, SVC_SECRET_KEY, SVC_SMTP_URL/m);
    expect(stdout).to.match(/^ok +database +The database \S+ at \S+ answers\./m);
    expect(stdout).to.match(/^ok +tables +The largest tables: (\w+ [\d.]+ [KMG]iB \(growth unknown\)(, |\.$)){5}/m);
    expect(stdout).to.match(/^ok +mail +\S+ answers\./m);
    const found: unknown = JSON.parse(asJson.stdout);
    const sizes: unknown = Array.isArray(found)
      ? at(
          found.find((each: unknown) => at(each, 'check') === 'tables'),
          'tables',
        )
      : [];
    expect(sizes).to.have.length(5);
    expect(at(sizes, '0')).to.have.all.keys('table', 'bytes', 'rows', 'bytesPerDay');
  });
});
