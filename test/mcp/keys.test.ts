import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { defineOperation, type Access, type Operation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import { lab } from '#test/kernel/support/lab.js';
import { idBytes } from '#core/runtime/id.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';

const operation = (access: Access): Operation =>
  defineOperation({
    name: `lab.${access}.echo`,
    summary: 'Say who calls.',
    access,
    impact: { read: true },
    input: object({}),
    output: object({ kind: text() }),
    example: { input: {}, output: { kind: 'key' } },
    handle: async (_, { caller }) => ({ kind: caller.kind }),
  });

describe('The MCP server, by kind of key', () => {
  const platform = usePlatform({
    plugins: [lab(...(['secret', 'publishable', 'public', 'operator'] as const).map(operation))],
  });
  const open: Client[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
  });
  const connect = async (key: string, headers: Record<string, string> = {}): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    const url = new URL(`${platform.running.address}/mcp?mode=full&products=lab`);
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { Authorization: `Bearer ${key}`, ...headers } },
    });
    await client.connect(Object.assign(transport, {}));
    open.push(client);
    return client;
  };
  const names = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

  it('offers each key the operations that it may call, and public ones to every key', async () => {
    const { keys } = await platform.account();
    expect(await names(await connect(keys.live.publishable))).to.deep.equal([
      'lab_publishable_echo',
      'lab_public_echo',
    ]);
    expect(await names(await connect(keys.live.secret))).to.deep.equal(['lab_secret_echo', 'lab_public_echo']);
  });

  it('offers what only the operator may do to its owner alone, whoever connects first', async () => {
    const [first, operator, last] = [await platform.account(), await platform.account(), await platform.account()];
    await platform.running.services.database.run('UPDATE svc_environment SET operator = 1 WHERE id = ?', [
      idBytes(operator.live.id),
    ]);
    const others = ['lab_secret_echo', 'lab_public_echo'];
    expect(await names(await connect(first.keys.live.secret))).to.deep.equal(others);
    expect(await names(await connect(operator.keys.live.secret))).to.include('lab_operator_echo');
    expect(await names(await connect(last.keys.live.secret))).to.deep.equal(others);
  });

  it('calls with that key, and says which key another operation needs', async () => {
    const { keys } = await platform.account();
    const client = await connect(keys.test.publishable);
    for (const [name, kind] of [
      ['lab_publishable_echo', 'key'],
      ['lab_public_echo', 'public'],
    ] as const)
      expect(at((await client.callTool({ name, arguments: {} })).structuredContent, 'result', 'kind')).to.equal(kind);
    for (const [asking, name, code] of [
      [client, 'lab_secret_echo', 'secret_key_required'],
      [await connect(keys.live.secret), 'lab_publishable_echo', 'publishable_key_required'],
      [await connect(keys.live.secret), 'lab_operator_echo', 'operator_only'],
      [client, 'lab_nothing_echo', 'unknown_operation'],
    ] as const) {
      const refused = await asking.callTool({ name, arguments: {} });
      expect(refused.isError).to.equal(true);
      expect(JSON.stringify(refused.content)).to.contain(code);
    }
  });

  it('enforces a publishable key’s origins and the request limit of keys', async () => {
    const { svc } = await platform.account();
    const { plaintext } = await svc.call('developers.key.create', {
      name: 'Shop',
      kind: 'publishable',
      allowedOrigins: ['https://shop.example.com'],
    });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const list = (headers: Record<string, string>) => platform.api.raw('/mcp', body, { key: plaintext, headers });
    const refused = await list({ Origin: 'https://evil.example.com' });
    expect([refused.status, refused.text]).to.satisfy(
      ([status, said]: [number, string]) => status === 403 && said.includes('origin_not_allowed'),
    );
    const statuses = new Set<number>();
    for (let n = 0; n < 650 && !statuses.has(429); n += 1)
      statuses.add((await list({ Accept: 'application/json, text/event-stream' })).status);
    expect([...statuses]).to.deep.equal([200, 429]);
  }).timeout(60_000);
});
