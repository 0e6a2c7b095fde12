import { expect } from 'chai';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { at } from '#test/support/json.js';
import { itNeeding } from '#test/support/products.js';
import { answers, forwards } from '../support.js';
import { call, live, mail, scripted, type Suite } from './suite.js';

const registry = createRegistry(await findPlugins(), []);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Calls, their errors, and lists. */
export function callCases(suite: Suite): void {
  const { language, platform, script, account, carryOut } = suite;
  describe('calls', () => {
    it('every operation with its example, and reads the reply with fields that it does not know', async () => {
      for (const { name, example } of registry.operations.values()) {
        const reply = Object.assign({}, plain(example.output), { fieldOfNewerServer: { nextField: [1, null] } });
        script.plays(answers(reply));
        const outcome = await call(suite, name, plain(example.input), scripted(suite));
        expect(outcome['error'], name).to.equal(undefined);
        expect(outcome['result'], name).to.deep.equal(reply);
        const [request] = script.arrived;
        expect(request?.path, name).to.equal(`/${name.replaceAll('.', '/')}`);
        expect(JSON.parse(request?.body ?? ''), name).to.deep.equal(plain(example.input));
      }
    });

    it('a running server', async () => {
      const read = await call(suite, 'account.get', {}, live(suite, { baseUrl: `${platform.running.address}/v1/` }));
      expect(at(read['result'], 'account', 'id')).to.equal(account().accountId);
      const name = `Shop of ${language}`;
      const changed = await call(
        suite,
        'account.project.update',
        { projectId: account().projectId, name },
        live(suite),
      );
      expect(at(changed['result'], 'project', 'name')).to.equal(name);
    });

    it('operations by name that it does not know', async () => {
      const known = await carryOut({ do: 'callByName', client: live(suite), operation: 'account.get', input: {} });
      expect(at(known['result'], 'account', 'id')).to.equal(account().accountId);
      const client = live(suite);
      const unknown = await carryOut({ do: 'callByName', client, operation: 'email.postcard.send', input: {} });
      expect(unknown['error']).to.include({ code: 'unknown_operation', status: 404 });
    });

    it('with the key, the environment and the path of the base address', async () => {
      script.plays(answers({ memberCount: 1 }));
      await call(suite, 'account.get', {}, scripted(suite, { baseUrl: `${script.address}/v1/`, environmentId: 'one' }));
      await call(suite, 'account.get', {}, scripted(suite, { environmentId: 'one' }), { environmentId: 'another' });
      expect(script.arrived.map(({ path }) => path)).to.deep.equal(['/v1/account/get', '/account/get']);
      expect(script.arrived.map(({ headers }) => headers['svc-environment'])).to.deep.equal(['one', 'another']);
      expect(script.arrived[0]?.headers.authorization).to.equal('Bearer svc_test_key');
      expect(script.arrived[0]?.body).to.equal('{}');
    });

    it('with the age that the answer may have', async () => {
      script.plays(answers({ messages: [], refused: {}, nextBefore: null, keptSince: null }));
      await call(suite, 'email.message.list', {}, scripted(suite), { maxAgeSeconds: 0 });
      await call(suite, 'email.message.list', {}, scripted(suite), { maxAgeSeconds: 30 });
      await call(suite, 'email.message.list', {}, scripted(suite));
      expect(script.arrived.map(({ headers }) => headers['svc-max-age'])).to.deep.equal(['0', '30', undefined]);
    });

    it('without changing texts and keys that the caller chose', async () => {
      script.plays(answers({ messageId: 'm' }));
      const input = {
        ...mail,
        subject: 'Zoë 🛒 日本 \u2028',
        variables: { order_no: 'é', orderNo: { sub_key: [1] } },
      };
      await call(suite, 'email.send', input, scripted(suite));
      expect(JSON.parse(script.arrived[0]?.body ?? '')).to.deep.equal(input);
    });
  });

  describe('reports', () => {
    it('a refusal with code, status, fix, request and details', async () => {
      const { error } = await call(suite, 'account.member.invite', { email: 'no address' }, live(suite));
      expect(error).to.include({ code: 'invalid_input', status: 400, operation: 'account.member.invite' });
      expect(at(error, 'details')).to.deep.equal({ field: 'email' });
      expect(at(error, 'fix')).to.contain('Correct “email”');
      expect(at(error, 'requestId')).to.match(/^[0-9a-f-]{36}$/);
      const { error: unauthenticated } = await call(suite, 'account.get', {}, { baseUrl: platform.running.address });
      expect(unauthenticated).to.include({ code: 'unauthenticated', status: 401 });
    });

    it('a response that is not from svc', async () => {
      script.plays((_, response) => void response.writeHead(200, { 'X-Request-Id': 'r' }).end('<h1>Welcome</h1>'));
      const { error } = await call(suite, 'account.get', {}, scripted(suite));
      expect(error).to.include({ code: 'unexpected_answer', status: 200, requestId: 'r' });
    });

    it('why there was no response', async () => {
      const refused = await call(
        suite,
        'account.get',
        {},
        scripted(suite, { baseUrl: 'http://127.0.0.1:2', maxRetries: 0 }),
      );
      expect(refused['error']).to.include({ code: 'connection_failed', status: 0, operation: 'account.get' });
      expect(at(refused['error'], 'fix')).to.contain('running and reachable');
      const noScheme = await call(
        suite,
        'account.get',
        {},
        scripted(suite, { baseUrl: 'svc.example.com', maxRetries: 0 }),
      );
      expect(noScheme['error']).to.include({ code: 'connection_failed' });
      expect(at(noScheme['error'], 'fix')).to.contain('begins with https:// or http://');
      const https = platform.running.address.replace('http:', 'https:');
      const plainHttp = await call(suite, 'account.get', {}, scripted(suite, { baseUrl: https, maxRetries: 0 }));
      expect(at(plainHttp['error'], 'message')).to.contain('does not speak TLS at that port');
    });
  });

  itNeeding('email')('iterates over a list of several pages, and fetches no more than the loop needs', async () => {
    const owner = await platform.account();
    for (let count = 0; count < 5; count += 1)
      await owner.svc.call('account.member.invite', { email: `m${count}@example.com` });
    const { members } = await owner.svc.call('account.member.list', { limit: 100 });
    const to = (): string => platform.running.address;
    script.plays(forwards(to));
    const client = scripted(suite, { apiKey: owner.keys.live.secret });
    const all = await carryOut({ do: 'all', client, operation: 'account.member.list', input: { limit: 2 } });
    const idsOf = (items: unknown): unknown => Array.isArray(items) && items.map((each: unknown) => at(each, 'id'));
    expect(idsOf(all['items'])).to.deep.equal(members.map(({ id }) => id));
    script.plays(forwards(to));
    const some = await carryOut({
      do: 'all',
      client,
      operation: 'account.member.list',
      input: { limit: 2 },
      take: 3,
    });
    expect(idsOf(some['items'])).to.deep.equal(members.slice(0, 3).map(({ id }) => id));
    expect(script.arrived).to.have.length(2);
  });
}
