import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { toolboxOf, type Toolbox } from '#core/surfaces/mcp/tools.js';
import { secretOf } from '#test/account/support.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

describe('The MCP server at /mcp', () => {
  const platform = usePlatform();
  const open: Client[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
  });

  /** The official client, as an agent would use it. */
  const connect = async (key: string, query = '?mode=full'): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${platform.running.address}/mcp${query}`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    });
    // The SDK's types do not match under exactOptionalPropertyTypes; the messages do.
    await client.connect(Object.assign(transport, {}));
    open.push(client);
    return client;
  };

  it('lists a tool per operation that the key may call, with hints from the operation’s impact', async () => {
    const { keys } = await platform.account();
    const { tools } = await (await connect(keys.live.secret)).listTools();
    const names = [...platform.running.services.catalogue.operations.values()]
      .filter(({ access }) => access === 'secret' || access === 'public')
      .map(({ name }) => name.replaceAll('.', '_'));
    expect(tools.map(({ name }) => name).sort()).to.deep.equal(names.sort());
    expect(tools.find(({ name }) => name === 'account_get')?.annotations).to.include({
      readOnlyHint: true,
      destructiveHint: false,
    });
    expect(tools.find(({ name }) => name === 'account_close')?.annotations).to.include({
      destructiveHint: true,
      idempotentHint: false,
    });
  });

  itNeeding('email')('omits operations that the key may not call, and products that were not requested', async () => {
    const { svc, keys } = await platform.account();
    const { plaintext } = await svc.call('developers.key.create', { name: 'Reader', permissions: ['account:read'] });
    const { tools } = await (await connect(plaintext)).listTools();
    expect(tools.some(({ name }) => name === 'account_get')).to.equal(true);
    expect(tools.some(({ name }) => name === 'account_update' || name === 'email_send')).to.equal(false);
    const email = await (await connect(keys.live.secret, '?mode=full&products=email')).listTools();
    expect(email.tools.every(({ name }) => name.startsWith('email_'))).to.equal(true);
  });

  it('has an object without alternatives as the root of each input, and short names: model providers refuse others', async () => {
    const { keys } = await platform.account();
    const { tools } = await (await connect(keys.live.secret)).listTools();
    for (const { name, inputSchema, description } of tools) {
      expect(inputSchema.type, name).to.equal('object');
      expect(inputSchema, name).to.not.have.any.keys('oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const');
      expect(name).to.match(/^[A-Za-z0-9_-]{1,64}$/);
      if (name === 'developers_webhook_create') expect(description).to.not.contain('exactly one');
      if (name === 'auth_user_get')
        expect(description).to.contain('Pass exactly one of userId, email, phone and externalId.');
    }
  });

  it('answers whatever types a client accepts', async () => {
    const { keys } = await platform.account();
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    for (const accept of [
      '*/*',
      'application/json',
      'text/event-stream, application/json',
      'application/*;q=0.1',
      '',
    ]) {
      const { status } = await platform.api.raw('/mcp', ping, {
        key: keys.live.secret,
        headers: { Accept: accept },
      });
      expect(status, accept).to.equal(200);
    }
  });

  it('names what there is for an unknown product or mode', async () => {
    const { keys } = await platform.account();
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    for (const [query, field, fix] of [
      ['products=smss', 'products', /account, .*developers/],
      ['mode=all', 'mode', /full, compact/],
    ] as const) {
      const { status, text } = await platform.api.raw(`/mcp?${query}`, list, {
        key: keys.live.secret,
        headers: { Accept: 'application/json, text/event-stream' },
      });
      expect(status).to.equal(400);
      const refused: unknown = JSON.parse(text);
      expect(at(refused, 'error', 'details')).to.deep.equal({ field });
      expect(at(refused, 'error', 'fix')).to.match(fix);
    }
  });

  it('refuses a batch of messages', async () => {
    const { keys } = await platform.account();
    const list = { jsonrpc: '2.0', method: 'tools/list', params: {} };
    const batch = JSON.stringify([
      { ...list, id: 1 },
      { ...list, id: 2 },
    ]);
    const { status, text } = await platform.api.raw('/mcp?mode=full', batch, {
      key: keys.live.secret,
      headers: { Accept: 'application/json, text/event-stream' },
    });
    expect(status).to.equal(400);
    expect(JSON.parse(text)).to.deep.equal({
      jsonrpc: '2.0',
      error: { code: -32600, message: 'Batches are not supported: send each message in its own request.' },
      id: null,
    });
  });

  it('makes the tools of one set of permissions once, and those of another by themselves', async () => {
    const account = await platform.account();
    const { svc, keys } = account;
    const { catalogue, identify } = platform.running.services;
    const toolboxFor = async (bearer: string, products: string[] = []): Promise<Toolbox> => {
      const request = { requestId: '', ip: '127.0.0.1', userAgent: null, origin: null };
      return toolboxOf(catalogue, await identify({ bearer, environmentId: undefined, request }), products);
    };
    const other = (await platform.account()).keys.live.secret;
    const { plaintext: reader } = await svc.call('developers.key.create', { name: 'R', permissions: ['account:read'] });
    const whole = await toolboxFor(keys.live.secret);
    expect(await toolboxFor(other)).to.equal(whole);
    expect(whole.tools()).to.equal(whole.tools());
    // A test key may not call account-wide writes, and an admin's not what only owners may.
    const inTest = await toolboxFor(keys.test.secret);
    const admin = await toolboxFor(await secretOf(platform, account, { role: 'admin' }));
    for (const different of [inTest, admin, await toolboxFor(reader), await toolboxFor(keys.live.publishable)]) {
      expect(different.operations.length).to.be.lessThan(whole.operations.length);
      expect(different.tools().length).to.equal(different.operations.length);
    }
    expect(await toolboxFor(other, ['email', 'account'])).to.equal(
      await toolboxFor(other, ['account', 'email', 'email']),
    );
  });

  it('calls an operation once for repeats with the same idempotency key', async () => {
    const { keys, svc } = await platform.account();
    const client = await connect(keys.live.secret);
    const call = { name: 'account_project_create', arguments: { name: 'By an agent', idempotencyKey: 'a-1' } };
    const first = await client.callTool(call);
    const again = await client.callTool(call);
    expect(first.isError ?? false).to.equal(false);
    expect(again.structuredContent).to.deep.equal(first.structuredContent);
    const { projects } = await svc.call('account.project.list', {});
    expect(projects.filter(({ name }) => name === 'By an agent')).to.have.length(1);
  });

  it('refuses an idempotency key that is not a string, for writes, in both modes', async () => {
    const { keys, svc } = await platform.account();
    const client = await connect(keys.live.secret);
    const compact = await connect(keys.live.secret, '?mode=compact');
    for (const idempotencyKey of [7, null, ['a-1'], { key: 'a-1' }]) {
      const input = { name: 'By a careless agent', idempotencyKey };
      for (const answer of [
        await client.callTool({ name: 'account_project_create', arguments: input }),
        await compact.callTool({
          name: 'call_operation',
          arguments: { operation: 'account.project.create', input },
        }),
      ]) {
        expect(answer.isError).to.equal(true);
        const text = String(at(answer.content, '0', 'text'));
        expect(text).to.match(/^invalid_input: The field “idempotencyKey” must be a string\./);
        expect(text).to.contain('"details":{"field":"idempotencyKey"}');
      }
    }
    const { projects } = await svc.call('account.project.list', {});
    expect(projects.some(({ name }) => name === 'By a careless agent')).to.equal(false);
  });

  it('counts a tool call once against the key’s 600 requests a minute', async () => {
    const { keys, svc } = await platform.account();
    const remaining = async (): Promise<number> => (await svc.call('developers.key.current', {})).rateLimit.remaining;
    const before = await remaining();
    for (let id = 1; id <= 5; id += 1) {
      const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'account_get', arguments: {} } };
      const { text } = await platform.api.raw('/mcp?mode=full', JSON.stringify(call), {
        key: keys.live.secret,
        headers: { Accept: 'application/json, text/event-stream' },
      });
      expect(at(JSON.parse(text), 'result', 'structuredContent', 'result')).to.be.an('object');
    }
    // The five calls, and the call that asks.
    expect(await remaining()).to.equal(before - 6);
  });

  itNeeding('email')('answers errors as tool errors with code and fix', async () => {
    const { keys } = await platform.account();
    const answer = await (
      await connect(keys.live.secret)
    ).callTool({ name: 'email_send', arguments: { to: 'nobody', subject: 'x', text: 'x' } });
    expect(answer.isError).to.equal(true);
    expect(JSON.stringify(answer.content)).to.contain('invalid_input').and.to.contain('Fix: ');
  });

  it('takes no larger input for an operation than its own address does', async () => {
    const { keys } = await platform.account();
    const full = await connect(keys.live.secret);
    const compact = await connect(keys.live.secret, '?mode=compact');
    const codeFor = async (bytes: number, mode: 'full' | 'compact'): Promise<unknown> => {
      const input = { name: 'a'.repeat(bytes) };
      const answer = await (mode === 'full'
        ? full.callTool({ name: 'account_project_create', arguments: input })
        : compact.callTool({
            name: 'call_operation',
            arguments: { operation: 'account.project.create', input },
          }));
      const said = String(at(answer.content, '0', 'text'));
      return `${said.split(':')[0] ?? ''}${said.includes('Send at most 1048576 bytes') ? ', with its fix' : ''}`;
    };
    for (const mode of ['full', 'compact'] as const) {
      expect(await codeFor(1024 * 1024 - 1000, mode)).to.equal('invalid_input');
      expect(await codeFor(1024 * 1024, mode)).to.equal('body_too_large, with its fix');
    }
  });

  itNeeding('email')('offers three tools in compact mode: search, describe, call', async () => {
    const { keys } = await platform.account();
    const client = await connect(keys.live.secret, '?mode=compact');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.deep.equal(['search_operations', 'describe_operation', 'call_operation']);
    const found = await client.callTool({ name: 'search_operations', arguments: { query: 'send message' } });
    expect(JSON.stringify(found.structuredContent)).to.contain('email.send');
    const named = await client.callTool({ name: 'search_operations', arguments: { query: 'send' } });
    expect(at(named.structuredContent, 'operations', '0', 'operation')).to.match(/send/);
    const shown = await client.callTool({ name: 'describe_operation', arguments: { operation: 'account.update' } });
    expect(shown.structuredContent).to.include({ operation: 'account.update' });
    const called = await client.callTool({ name: 'call_operation', arguments: { operation: 'account.get' } });
    expect(JSON.stringify(called.structuredContent)).to.contain('"memberCount":1');
  });

  itNeeding(
    'audience',
    'auth',
    'email',
  )('finds operations by common words for them, best match first', async () => {
    const { keys } = await platform.account();
    const client = await connect(keys.live.secret, '?mode=compact');
    const found = async (query: string): Promise<string[]> => {
      const { structuredContent } = await client.callTool({ name: 'search_operations', arguments: { query } });
      const operations = at(structuredContent, 'operations');
      if (!Array.isArray(operations)) throw new Error(`Nothing is listed for ${query}.`);
      return operations.map((each: unknown) => String(at(each, 'operation')));
    };
    for (const [query, operation] of [
      ['gdpr erase', 'audience.contact.delete'],
      ['forget a person (GDPR)', 'audience.contact.delete'],
      ['opt out', 'audience.consent.revoke'],
      ['unsubscribe', 'audience.consent.revoke'],
      ['block list', 'audience.suppression.add'],
      ['send messages', 'email.send'],
    ] as const)
      expect((await found(query)).slice(0, 5), query).to.contain(operation);
    expect(await found('xylophone')).to.deep.equal([]);
    expect((await found('the email of a contact')).length).to.be.within(1, 20);
    expect((await found('')).length).to.be.above(40);
  });

  it('refuses a lone surrogate, naming its field', async () => {
    const { keys } = await platform.account();
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"audience_contact_upsert","arguments":{"externalId":"a\\ud800"}}}`;
    const headers = { Authorization: `Bearer ${keys.live.secret}` };
    const answer = await platform.api.raw('/mcp', body, { headers });
    expect(answer.status).to.equal(400);
    expect(answer.text).to.contain('params.arguments.externalId” holds half a character');
  });

  it('refuses a request without a key', async () => {
    const answer = await platform.api.raw('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    expect(answer.status).to.equal(401);
    expect(answer.text).to.contain('unauthenticated');
  });
});
