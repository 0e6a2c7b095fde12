import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { auditOf, makeKey, publishableForm, secretForm } from './support.js';

describe('developers.key.create', () => {
  const platform = usePlatform();

  itNeeding('email')('creates a key of the calling environment, in the specified form', async () => {
    const { svc, svcTest, live, test } = await platform.account();
    for (const [api, environment] of [
      [svc, live],
      [svcTest, test],
    ] as const) {
      const secret = await api.call('developers.key.create', { name: 'Shop', permissions: ['email:read'] });
      expect(secret.plaintext).to.match(secretForm);
      expect(secret.plaintext).to.match(new RegExp(`^svc_${environment.kind}_`));
      expect(secret.key).to.include({
        name: 'Shop',
        kind: 'secret',
        environmentId: environment.id,
        createdBy: 'First key',
      });
      expect(secret.key).to.include({ lastUsedAt: null, revokedAt: null, allowedOrigins: null });
      expect(secret.key.permissions).to.deep.equal(['email:read']);
      expect(secret.key.prefix).to.equal(secret.plaintext.slice(0, 13));
      const publishable = await api.call('developers.key.create', { name: 'Web', kind: 'publishable' });
      expect(publishable.plaintext).to.match(publishableForm);
      expect(publishable.key).to.include({ kind: 'publishable', prefix: publishable.plaintext.slice(0, 15) });
      expect(publishable.key.permissions).to.deep.equal(['auth:public']);
    }
  });

  itNeeding('email')('shows the plaintext in its answer and nowhere else', async () => {
    const { svc, live } = await platform.account();
    const { key, plaintext } = await svc.call('developers.key.create', { name: 'A', permissions: ['email:read'] });
    const { database } = platform.running.services;
    const shown = [
      await svc.call('developers.key.list', {}),
      await svc.call('developers.key.current', {}, { key: plaintext }),
      await platform.events(live),
      await database.rows('SELECT * FROM svc_activity'),
      (await database.rows('SELECT * FROM developers_key')).map((row) => Object.values(row).map(String)),
      platform.logLines,
    ];
    expect(JSON.stringify(shown)).to.contain(key.id);
    expect(JSON.stringify(shown)).to.not.contain(plaintext);
    expect(JSON.stringify(shown)).to.not.contain(plaintext.slice(13));
  });

  itNeeding('email')('writes one audit record and one event, which carries the key without its plaintext', async () => {
    const { svc, live } = await platform.account();
    const input = { name: 'A', permissions: ['email:read', 'email:write'] };
    const { activityId, result } = await svc.envelope('developers.key.create', input);
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'developers.key.create',
      subjectId: result.key.id,
      actor: 'First key',
      environmentId: live.id,
    });
    const events = await platform.events(live);
    expect(events).to.deep.equal([
      { type: 'developers.key.created', subjectId: result.key.id, activityId, data: { key: result.key } },
    ]);
  });

  for (const [what, input, field] of [
    ['a secret key without permissions', { name: 'A' }, 'permissions'],
    ['a secret key with none', { name: 'A', permissions: [] }, 'permissions'],
    ['a secret key with auth:public', { name: 'A', permissions: ['auth:public'] }, 'permissions'],
    ['a permission in no form', { name: 'A', permissions: ['email'] }, 'permissions[0]'],
    ['a permission named twice', { name: 'A', permissions: ['account:read', 'account:read'] }, 'permissions'],
    [
      'a publishable key with a permission',
      { name: 'A', kind: 'publishable', permissions: ['account:read'] },
      'permissions',
    ],
    [
      'a publishable key with one too many',
      { name: 'A', kind: 'publishable', permissions: ['auth:public', 'account:read'] },
      'permissions',
    ],
    ['a kind that is none', { name: 'A', kind: 'server', permissions: ['account:read'] }, 'kind'],
    ['an empty name', { name: '', permissions: ['account:read'] }, 'name'],
    ['a name too long', { name: 'a'.repeat(121), permissions: ['account:read'] }, 'name'],
    [
      'origins of a secret key',
      { name: 'A', permissions: ['account:read'], allowedOrigins: ['https://a.example'] },
      'allowedOrigins',
    ],
    [
      'an origin with a path',
      { name: 'A', kind: 'publishable', allowedOrigins: ['https://a.example/x'] },
      'allowedOrigins[0]',
    ],
    ['an origin that is any', { name: 'A', kind: 'publishable', allowedOrigins: ['*'] }, 'allowedOrigins[0]'],
    ...['https://a.example:99999', 'https://a.example:0', 'https://a.example:443', 'https://A.example'].map(
      (origin) =>
        [
          `the origin ${origin}`,
          { name: 'A', kind: 'publishable', allowedOrigins: [origin] },
          'allowedOrigins[0]',
        ] as const,
    ),
    ['a blank name', { name: ' \u00a0', permissions: ['account:read'] }, 'name'],
    ['no permissions', { name: 'A', permissions: [] }, 'permissions'],
    ['a permission that does not exist', { name: 'A', permissions: ['account:read', 'foo:read'] }, 'permissions[1]'],
    ['no origins at all', { name: 'A', kind: 'publishable', allowedOrigins: [] }, 'allowedOrigins'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { svc } = await platform.account();
      const refused = await svc.refusal('developers.key.create', input);
      expect(refused).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field });
      expect(refused.fix, 'a sentence').to.match(
        /^Correct “[^”]+”: it (must|may|is|holds) |^(Send|Leave|Pass|Remove|Add) /,
      );
    });
  }

  itNeeding('email')('suggests the nearest permission and the origin that browsers send', async () => {
    const { svc } = await platform.account();
    const unknown = await svc.refusal('developers.key.create', { name: 'A', permissions: ['emial:read'] });
    expect(unknown.message).to.contain('did you mean email:read?');
    const input = { name: 'A', kind: 'publishable', allowedOrigins: ['https://a.example:443'] };
    expect((await svc.refusal('developers.key.create', input)).message).to.contain('browsers send https://a.example');
  });

  it('accepts auth:public for a publishable key, explicitly or by default, and its origins', async () => {
    const { svc } = await platform.account();
    const said = await svc.call('developers.key.create', {
      name: 'A',
      kind: 'publishable',
      permissions: ['auth:public'],
    });
    expect(said.key.permissions).to.deep.equal(['auth:public']);
    const allowedOrigins = ['https://a.example', 'http://localhost:3000'];
    const bound = await svc.call('developers.key.create', { name: 'A', kind: 'publishable', allowedOrigins });
    expect(bound.key.allowedOrigins).to.deep.equal(allowedOrigins);
  });

  itNeeding('email')('grants nothing that the caller does not hold, and names the missing permissions', async () => {
    const account = await platform.account();
    const weak = await makeKey(platform, account, ['developers:write', 'email:read']);
    const options = { key: weak.plaintext };
    const wanted = { name: 'A', permissions: ['email:read', 'email:write', 'account:write'] };
    const refused = await account.svc.refusal('developers.key.create', wanted, options);
    expect(refused).to.include({ status: 403, code: 'permission_exceeds_caller' });
    expect(refused.message).to.contain('email:write, account:write').and.not.contain('email:read');
    await account.svc.call('developers.key.create', { name: 'A', permissions: ['email:read'] }, options);
    await account.svc.call('developers.key.create', { name: 'A', kind: 'publishable' }, options);
  });

  it('grants nothing above the caller’s role, whatever permissions its key has', async () => {
    const account = await platform.account();
    const developer = await makeKey(platform, account, ['developers:write', 'account:write'], 'developer');
    const options = { key: developer.plaintext };
    const refused = await account.svc.refusal(
      'developers.key.create',
      { name: 'A', permissions: ['account:write'] },
      options,
    );
    expect(refused.code).to.equal('permission_exceeds_caller');
    const child = await account.svc.call(
      'developers.key.create',
      { name: 'A', permissions: ['developers:write'] },
      options,
    );
    const grandchild = { name: 'A', permissions: ['account:write'] };
    const again = await account.svc.refusal('developers.key.create', grandchild, { key: child.plaintext });
    expect(again.code).to.equal('permission_exceeds_caller');
  });

  it('stops at exactly 100 keys in concurrent calls, and continues after one is revoked', async () => {
    const { svc, svcTest, live } = await platform.account();
    const { database } = platform.running.services;
    await database.run(
      `INSERT INTO developers_key SELECT UNHEX(MD5(RAND())), environment_id, name, kind, prefix, UNHEX(SHA2(RAND(), 256)), permissions,
         allowed_origins, role, member_id, lineage_id, created_by, created_at, last_used_at, revoked_at, created_ip, updated_at
       FROM developers_key CROSS JOIN (SELECT 1 FROM svc_migration LIMIT 45) AS many
       WHERE LOWER(HEX(environment_id)) = '${live.id.replaceAll('-', '')}'`,
    );
    const create = (): Promise<number> =>
      svc.raw('/developers/key/create', '{"name":"A","kind":"publishable"}').then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 20 }, create));
    expect(statuses.filter((status) => status === 200)).to.have.length(8);
    const refused = await svc.refusal('developers.key.create', { name: 'A', kind: 'publishable' });
    expect(refused).to.include({ status: 409, code: 'limit_reached' });
    expect(refused.message).to.contain('100');
    await svcTest.call('developers.key.create', { name: 'A', kind: 'publishable' });
    const { keys } = await svc.call('developers.key.list', { limit: 1 });
    await svc.call('developers.key.revoke', { keyId: keys[0]?.id ?? '' });
    expect(await create()).to.equal(200);
  });
});
