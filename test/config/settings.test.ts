import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { coreSettings } from '#core/kernel/settings.js';
import { databaseTls } from '#core/kernel/database-tls.js';
import { integerSetting, textSetting } from '#config/declare.js';
import { readSettings, SettingsError, type Settings } from '#config/read.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import type { SettingDeclarations } from '#config/declare.js';

const shop = {
  carts: integerSetting({
    variable: 'SVC_SHOP_CARTS',
    share: 'deployment',
    description: 'Carts.',
    defaultValue: 3,
    minimum: 1,
    maximum: 9,
  }),
  motto: textSetting({ variable: 'SVC_SHOP_MOTTO', share: 'any', description: 'Motto.', defaultValue: undefined }),
} as const;

const read = (environment: Record<string, string>): Settings<typeof coreSettings> =>
  readSettings(coreSettings, [shop], environment);

function problems(environment: Record<string, string>): readonly string[] {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('The settings', () => {
  it('all have defaults', () => {
    const { core, of } = read({});
    expect(core).to.include({ host: '127.0.0.1', port: 8080, stateDir: './var', role: 'all' });
    expect(core).to.include({ signup: 'closed', ownerEmail: 'owner@mail.localhost', eventRetentionDays: 90 });
    const { baseUrl, databaseUrl, secretKey, jobsUrl, metricsToken, databasePool, processes } = core;
    expect([baseUrl, databaseUrl, secretKey, jobsUrl, metricsToken, databasePool, processes]).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(of(shop)).to.deep.equal({ carts: 3, motto: undefined });
  });

  it('refuse to listen beyond loopback without SVC_BASE_URL, naming both', () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.7', 'svc.internal']) {
      const found = problems({ SVC_HOST: host });
      expect(found, host).to.have.length(1);
      expect(found[0]).to.contain(`SVC_HOST=${host}`).and.contain('Set SVC_BASE_URL');
      expect(problems({ SVC_HOST: host, SVC_BASE_URL: 'https://svc.example.com' })).to.deep.equal([]);
    }
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1'])
      expect(problems({ SVC_HOST: host }), host).to.deep.equal([]);
  });

  it('refuse only ports that fetch refuses too', async () => {
    const isRefused = (port: number): boolean => problems({ SVC_PORT: String(port) }).length > 0;
    expect([0, 80, 443, 3000, 8080, 8443, 10081].filter(isRefused)).to.deep.equal([]);
    const refused = Array.from({ length: 11_000 }, (_, port) => port).filter(isRefused);
    expect(refused).to.include.members([1, 25, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6697, 10080]);
    // fetch refuses such a port before it opens a connection.
    const causes = await Promise.all(
      refused.map((port) =>
        fetch(`http://127.0.0.1:${port}`).then(
          () => 'answered',
          (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause.message : ''),
        ),
      ),
    );
    expect(new Set(causes)).to.deep.equal(new Set(['bad port']));
  });

  it('are read from the environment; an empty variable counts as not set', () => {
    const { core, of } = read({ SVC_PORT: '0', SVC_HOST: '', SVC_SHOP_CARTS: '9', SVC_PRODUCTS: 'email, audience,' });
    expect([core.port, core.host, of(shop).carts]).to.deep.equal([0, '127.0.0.1', 9]);
    expect(core.products).to.deep.equal(['email', 'audience']);
  });

  for (const [variable, bad, says] of [
    ['SVC_PORT', '80a', 'must be a whole number from 0 to 65535, not "80a"'],
    ['SVC_PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['SVC_PORT', '-1', 'must be a whole number'],
    ['SVC_PORT', '1e3', 'must be a whole number'],
    ['SVC_PORT', '6000', 'must not be 6000: browsers and the command line svc refuse to connect to this port'],
    ['SVC_BASE_URL', 'https://svc.example.com:6000/', 'must not have the port 6000: browsers'],
    ['SVC_BASE_URL', 'https://example.com/svc', 'such as https://example.com: svc cannot be served under a path'],
    ['SVC_BASE_URL', 'https://svc.example.com?x=1', 'must be only a scheme, host and port'],
    ['SVC_BASE_URL', 'https://svc.example.com/#', 'must be only a scheme, host and port'],
    ['SVC_BASE_URL', 'https://user:secret@svc.example.com', 'must hold no user and password'],
    ['SVC_BASE_URL', 'svc.example.com', 'must be a URL that starts with http:// or https://'],
    ['SVC_BASE_URL', 'ftp://svc.example.com', 'must be a URL'],
    ['SVC_DATABASE_URL', 'postgres://a:b@c/d', 'must be a URL that starts with mysql:// or mariadb://'],
    ['SVC_DATABASE_URL', 'mysql:a', 'must be a URL'],
    ['SVC_DATABASE_URL', 'mysql://a:b@c', 'must name a database'],
    ['SVC_DATABASE_URL', 'mysql://a:b@c/d/e', 'must name a database'],
    ['SVC_DATABASE_URL', 'mysql://a:b%@c/d', 'has a "%" that is not followed by two hexadecimal digits'],
    [
      'SVC_DATABASE_URL',
      'mysql://a:b@c/d?charset=latin1&x=1',
      'must have no parameters but socketPath: remove "charset", "x"',
    ],
    ['SVC_DATABASE_URL', 'mysql://a:b@c/d?ssl={}', 'remove "ssl", and use SVC_DATABASE_TLS for encryption'],
    ['SVC_DATABASE_URL', 'mysql://a:b@c/d#e', 'must not contain "#"'],
    ['SVC_DATABASE_READ_URL', 'mysql://a:b@c,d', 'must name a database'],
    ['SVC_DATABASE_READ_URL', 'mysql://a:b@c/d', 'SVC_DATABASE_URL, which is not set. Set it, or remove'],
    ['SVC_DATABASE_READ_LAG_SECONDS', '1', 'must be a whole number from 2 to 600'],
    ['SVC_DATABASE_TLS', 'preferred', 'must be one of disabled, required, verify-ca, verify'],
    ['SVC_DATABASE_TLS_CA', '/no/such/file.pem', 'names a file that cannot be read (ENOENT'],
    ['SVC_DATABASE_TLS_CERT', 'package.json', 'must name a PEM file'],
    ['SVC_DATABASE_POOL', '3', 'must be a whole number from 4 to 500'],
    ['SVC_SECRET_KEY', 'too short', 'must be 32 random bytes'],
    ['SVC_SIGNUP', 'maybe', 'must be one of closed, open, not "maybe"'],
    ['SVC_OWNER_EMAIL', 'nobody', 'must be one email address'],
    ['SVC_JOBS_URL', 'redis://localhost', 'must start with mongodb:// or mongodb+srv://'],
    [
      'SVC_OUTBOUND_ALLOW',
      '10.0.0.0/8,everything',
      'must be a list of ranges such as 10.0.0.0/8; "everything" is not a range',
    ],
    ['SVC_OUTBOUND_ALLOW', '10.0.0/8', '"10.0.0/8" is not a range'],
    ['SVC_TRUST_PROXY', '10/8', '"10/8" is neither'],
    ['SVC_TRUST_PROXY', '10.1', 'must be a list of addresses and ranges'],
    ['SVC_TRUST_PROXY', 'proxy.internal', 'must be a list of addresses and ranges'],
    ['SVC_TRUST_PROXY', '10.0.0.0/33', 'must be a list of addresses and ranges'],
    ['SVC_ROLE', 'ALL', 'must be one of all, api, worker'],
    ['SVC_EVENT_RETENTION_DAYS', '0', 'must be a whole number from 1 to 3650'],
    ['SVC_MESSAGE_RETENTION_DAYS', '6', 'must be a whole number from 7 to 36500'],
    ['SVC_AUDIT_RETENTION_DAYS', '29', 'must be a whole number from 30 to 36500'],
    ['SVC_LOG_LEVEL', 'trace', 'must be one of debug, info, warn, error, silent'],
    ['SVC_SHOP_CARTS', '10', 'must be a whole number from 1 to 9'],
  ] as const) {
    it(`refuse ${variable}=${bad} and say what is accepted`, () => {
      const found = problems({ [variable]: bad });
      expect(found).to.have.length(1);
      expect(found[0]).to.match(new RegExp(`^${variable} `));
      expect(found[0]).to.contain(says);
    });
  }

  it('refuse to keep messages for less time than events', () => {
    const days = (messages: string, events: string) =>
      problems({ SVC_MESSAGE_RETENTION_DAYS: messages, SVC_EVENT_RETENTION_DAYS: events });
    expect(days('30', '30')).to.deep.equal([]);
    const [problem, ...others] = days('30', '31');
    expect(problem).to.contain('SVC_MESSAGE_RETENTION_DAYS=30 is less than SVC_EVENT_RETENTION_DAYS, which is 31');
    expect(others).to.deep.equal([]);
  });

  for (const [variable, good] of [
    ['SVC_SECRET_KEY', randomBytes(32).toString('base64')],
    ['SVC_SECRET_KEY', randomBytes(32).toString('hex')],
    ['SVC_JOBS_URL', 'mongodb://a:1,b:2/jobs?replicaSet=x'],
    ['SVC_DATABASE_URL', 'mysql://user:p%40ss@db.example.com:3306/svc'],
    ['SVC_DATABASE_URL', 'mariadb://us%40er:p%2Fa%23%3F@[2001:db8::1]:3307/my%20data'],
    ['SVC_DATABASE_URL', 'mysql://user:secret@localhost/svc?socketPath=/run/mysqld/mysqld.sock'],
    ['SVC_BASE_URL', 'https://svc.example.com:8443/'],
    ['SVC_BASE_URL', 'http://[::1]:8080'],
    ['SVC_OUTBOUND_ALLOW', '10.0.0.0/8,fd00::/8'],
    ['SVC_TRUST_PROXY', '10.0.0.0/8, 2001:db8::/32'],
    ['SVC_TRUST_PROXY', '10.0.0.1, 2001:db8::1'],
    ['SVC_OWNER_EMAIL', 'ada@example.com'],
  ] as const) {
    it(`accept ${variable}=${good.slice(0, 40)}`, () => {
      expect(problems({ [variable]: good })).to.deep.equal([]);
    });
  }

  it('refuse settings of TLS that would not be used, and say what to set', () => {
    const url = 'mysql://svc:secret@db.example.com/svc';
    const pem = fileURLToPath(new URL('../runtime/tls/ca.pem', import.meta.url));
    const refused = (environment: Record<string, string>): string => {
      try {
        databaseTls(read(environment).core);
      } catch (error) {
        if (error instanceof SettingsError) return error.message;
        throw error;
      }
      return '';
    };
    const verify = { SVC_DATABASE_URL: url, SVC_DATABASE_TLS: 'verify' };
    expect(refused({ SVC_DATABASE_URL: url, SVC_DATABASE_TLS_CA: pem })).to.contain('Set SVC_DATABASE_TLS=verify,');
    expect(refused({ ...verify, SVC_DATABASE_TLS: 'required', SVC_DATABASE_TLS_CA: pem })).to.contain('verify-ca');
    expect(refused({ ...verify, SVC_DATABASE_TLS_CERT: pem })).to.contain('belong together');
    expect(refused({ SVC_DATABASE_TLS: 'verify' })).to.contain('SVC_DATABASE_URL, which is not set');
    expect(refused({ ...verify, SVC_DATABASE_URL: 'mysql://a:b@[::1]/d' })).to.contain('verify-ca');
    expect(refused({ ...verify, SVC_DATABASE_URL: 'mysql://a:b@localhost/d?socketPath=/a' })).to.contain('Remove SVC');
    expect(refused({ ...verify, SVC_DATABASE_READ_URL: 'mysql://a:b@[::1]/svc' })).to.contain(
      'SVC_DATABASE_READ_URL has an IP address',
    );
    expect(refused({ ...verify, SVC_DATABASE_TLS_CA: pem })).to.equal('');
  });

  it('refuse replicas that cannot be copies of the database', () => {
    const of = (replicas: string): string =>
      problems({ SVC_DATABASE_URL: 'mysql://a:b@one,two/svc', SVC_DATABASE_READ_URL: replicas }).join();
    expect(of('mysql://a:b@three/other')).to.contain('A replica has the same name: correct one of them.');
    expect(of('mysql://a:b@one,two/svc')).to.contain('Let it name the replicas, or remove it.');
    expect(of('mysql://reader:b@two,three/svc')).to.equal('');
  });

  it('report all problems at once, without secrets', () => {
    const found = problems({
      SVC_PORT: 'x',
      SVC_SECRET_KEY: 'hunter2-secret',
      SVC_DATABASE_URL: 'postgres://root:hunter2@db/svc',
      SVC_JOBS_URL: 'amqp://root:hunter2@mq',
      SVC_SHOP_CARTS: 'many',
      SVC_BANANA: '1',
    });
    expect(found).to.have.length(6);
    expect(found.join('\n')).to.not.contain('hunter2');
  });

  it('refuse an unknown SVC_ variable and name the nearest known one', () => {
    for (const [wrong, right] of [
      ['SVC_DATABSE_URL', 'SVC_DATABASE_URL'],
      ['SVC_PRODUCT', 'SVC_PRODUCTS'],
      ['SVC_TRUSTED_PROXY', 'SVC_TRUST_PROXY'],
      ['SVC_SHOP_CART', 'SVC_SHOP_CARTS'],
    ] as const) {
      expect(problems({ [wrong]: '' })).to.deep.equal([
        `${wrong} is not a setting of svc. Did you mean ${right}? Correct the name or remove the variable.`,
      ]);
    }
    expect(problems({ SVC_COMPLETELY_DIFFERENT_THING: 'x' })).to.deep.equal([
      'SVC_COMPLETELY_DIFFERENT_THING is not a setting of svc. Correct the name or remove the variable.',
    ]);
  });

  it('ignore variables that other programs read', () => {
    expect(
      problems({
        PATH: '/bin',
        SVCX: '1',
        svc_port: 'x',
        SVC_API_KEY: 'k',
        SVC_API_URL: 'http://localhost:8080',
        SVC_PUBLISHABLE_KEY: 'k',
        SVC_FAULT: 'a:1',
        SVC_TEST_SERVER_URLS: 'u',
      }),
    ).to.deep.equal([]);
  });

  it('of all plugins have distinct variables and a description', async () => {
    const groups: SettingDeclarations[] = [
      coreSettings,
      ...(await findPlugins()).flatMap((plugin) => (plugin.settings ? [plugin.settings] : [])),
    ];
    const all = groups.flatMap((group) => Object.values(group));
    const variables = all.map(({ variable }) => variable);
    expect(new Set(variables).size).to.equal(variables.length);
    for (const { variable, description, defaultText } of all) {
      expect(variable).to.match(/^SVC_[A-Z]+(_[A-Z]+)*$/);
      expect(description, variable).to.match(/^\S.*\S$/);
      expect(defaultText, variable).to.not.equal('');
    }
  });

  it('of an unregistered plugin cannot be read', () => {
    const { of } = read({});
    expect(() => of({ ...shop })).to.throw('belong to no plugin');
  });
});
