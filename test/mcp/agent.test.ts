import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

describe('What the MCP server tells an agent', () => {
  const platform = usePlatform();
  const open: Client[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
  });
  const connect = async (key: string, mode: 'full' | 'compact'): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    const url = new URL(`${platform.running.address}/mcp?mode=${mode}`);
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    });
    await client.connect(Object.assign(transport, {}));
    open.push(client);
    return client;
  };
  /** The error of a refused tool call. */
  const refusal = async (client: Client, name: string, given: Record<string, unknown>): Promise<string> => {
    const { isError, content } = await client.callTool({ name, arguments: given });
    expect(isError).to.equal(true);
    return String(at(content, '0', 'text'));
  };

  itNeeding('email')(
    'its real version, and instructions: live or test, accepted is not delivered, where to see what became of a mail',
    async () => {
      const { keys } = await platform.account();
      const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
      const live = await connect(keys.live.secret, 'compact');
      expect(live.getServerVersion()).to.include({ name: 'svc', version: at(manifest, 'version') });
      const instructions = live.getInstructions() ?? '';
      expect(instructions).to.contain('LIVE environment').and.contain('Accepted is not delivered');
      expect(instructions).to.contain(
        '- After email.send, call email.message.get with messageId = messageId of the reply.',
      );
      expect(instructions).to.contain('ends as sent, or without success as failed, suppressed, cancelled, bounced.');
      expect(instructions).to.contain('- After email.batch.send, call email.message.list.\n');
      expect(instructions).to.contain('search_operations');
      expect(instructions.length).to.be.below(4_000);

      const test = (await connect(keys.test.secret, 'full')).getInstructions() ?? '';
      expect(test).to.contain('TEST environment').and.contain('After email_send, call email_message_get');
      const publishable = (await connect(keys.test.publishable, 'full')).getInstructions() ?? '';
      expect(publishable).to.contain('TEST environment').and.not.contain('email_send');
    },
  );

  it('what each parameter of the compact tools is for', async () => {
    const { keys } = await platform.account();
    const { tools } = await (await connect(keys.test.secret, 'compact')).listTools();
    for (const { name, inputSchema } of tools)
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
        expect(at(schema, 'description'), `${name} ${field}`).to.be.a('string').and.not.equal('');
  });

  it('is told the operation that it meant, and that it named none', async () => {
    const { keys } = await platform.account();
    const compact = await connect(keys.test.secret, 'compact');
    const misspelt = await refusal(compact, 'call_operation', { operation: 'account.gett', input: {} });
    expect(misspelt).to.contain('Did you mean account.get? Call search_operations');
    expect(await refusal(compact, 'call_operation', {})).to.contain('The field “operation” must be the name');
    expect(await refusal(compact, 'describe_operation', {})).to.contain('The field “operation” must be the name');
    expect(await refusal(compact, 'account_get', {})).to.contain('account.get with call_operation');
    const full = await connect(keys.test.secret, 'full');
    const tool = await refusal(full, 'account_gett', {});
    expect(tool).to.contain('Did you mean account_get? List the tools').and.not.contain('search_operations');
  });

  it('understands input as a JSON text, and refuses what it would ignore', async () => {
    const { keys } = await platform.account();
    const client = await connect(keys.live.secret, 'compact');
    const operation = 'account.project.create';
    const { structuredContent } = await client.callTool({
      name: 'call_operation',
      arguments: { operation, input: '{"name": "From text"}' },
    });
    expect(at(structuredContent, 'result', 'project', 'name')).to.equal('From text');
    for (const [given, problem] of [
      [{ operation, input: '{"name": ' }, 'The field “input” must be an object'],
      [{ operation, input: ['a'] }, 'The field “input” must be an object'],
      [{ operation, name: 'Beside' }, 'The field “name” is outside input'],
    ] as const)
      expect(await refusal(client, 'call_operation', given))
        .to.contain(problem)
        .and.contain('Fix: ');
  });

  itNeeding('email')('the next step of a refusal in terms of its tools', async () => {
    const { keys } = await platform.account();
    const full = await connect(keys.live.secret, 'full');
    const compact = await connect(keys.live.secret, 'compact');
    const missing = { messageId: '01890a5d-ac96-774b-bcce-b302099a8300' };
    expect(await refusal(full, 'email_message_get', missing)).to.match(/Fix: .*email_message_list/);
    expect(await refusal(compact, 'call_operation', { operation: 'email.message.get', input: missing })).to.match(
      /Fix: .*email\.message\.list.* with call_operation\./,
    );
    const wrong = { to: 'nobody', subject: 'x', text: 'x' };
    const inFull = await refusal(full, 'email_send', wrong);
    const inCompact = await refusal(compact, 'call_operation', { operation: 'email.send', input: wrong });
    expect(inFull).to.contain('the input schema of email_send').and.not.contain('/openapi.json');
    expect(inCompact).to.contain('describe_operation with operation email.send').and.not.contain('/openapi.json');

    const call = (name: string) => ({ name: 'account_project_create', arguments: { name, idempotencyKey: 'same' } });
    await full.callTool(call('One'));
    expect(await refusal(full, 'account_project_create', call('Two').arguments)).to.match(
      /Fix: Use a new idempotencyKey/,
    );
  });

  itNeeding('audience')('replies in formats of JSON Schema alone, which clients know', async () => {
    const { keys } = await platform.account();
    const { tools } = await (await connect(keys.test.secret, 'full')).listTools();
    const schemas = JSON.stringify(tools.map(({ outputSchema }) => outputSchema));
    const formats = new Set([...schemas.matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
    expect(['uuid', 'date-time', 'date', 'email', 'uri']).to.include.members([...formats]);
    expect([...formats]).to.include('uuid');
  });

  itNeeding('email')('the meaning of every status', async () => {
    const { keys } = await platform.account();
    const { tools } = await (await connect(keys.test.secret, 'full')).listTools();
    const unexplained: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const values: unknown = Reflect.get(schema, 'enum');
      if (/\.(status|state|reason)$/.test(path) && Array.isArray(values)) {
        const description = String(Reflect.get(schema, 'description'));
        for (const value of values)
          if (value !== null && !description.includes(String(value))) unexplained.push(`${path} ${String(value)}`);
      }
      for (const [name, child] of Object.entries(schema)) {
        const inner = name === 'properties' || name === 'items' || name === 'anyOf' || /^\d+$/.test(name);
        visit(child, inner ? path : `${path}.${name}`);
      }
    };
    for (const { name, outputSchema } of tools) visit(outputSchema, name);
    expect(unexplained).to.deep.equal([]);
    expect(JSON.stringify(tools)).to.contain('bounced: refused after it had been accepted');
  });
});
