import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { pathOf } from '#core/kernel/operation.js';
import { Svc, SvcError } from '#core/surfaces/sdk/index.js';
import { printed, runSvc } from '#test/cli/support.js';
import { at } from '#test/support/json.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

/** The outcome of a call, on any surface. */
type CallOutcome = { result: unknown } | { code: unknown; fix: unknown };

describe('Every surface', () => {
  const platform = usePlatform();

  const byHttp = async ({ svc }: TestAccount, operation: string, input: object): Promise<CallOutcome> => {
    const body: unknown = JSON.parse((await svc.raw(pathOf(operation), JSON.stringify(input))).text);
    const error = at(body, 'error');
    return error === undefined ? { result: at(body, 'result') } : { code: at(error, 'code'), fix: at(error, 'fix') };
  };

  const bySdk = async ({ keys }: TestAccount, operation: string, input: object): Promise<CallOutcome> => {
    const svc = new Svc({ apiKey: keys.live.secret, baseUrl: platform.running.address, maxRetries: 0 });
    try {
      return { result: await svc.call(operation, input) };
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return { code: error.code, fix: error.fix };
    }
  };

  const byCli = async ({ keys }: TestAccount, operation: string, input: object): Promise<CallOutcome> => {
    const words = [...operation.split('.'), '--input', '-', '--json', '--yes', '--base-url', platform.running.address];
    const { code, stdout, stderr } = await runSvc(words, { key: keys.live.secret, stdin: JSON.stringify(input) });
    if (code === 0) return { result: at(printed(stdout), 'result') };
    const error = at(printed(stderr.trim() === '' ? stdout : stderr), 'error');
    return { code: at(error, 'code'), fix: at(error, 'fix') };
  };

  const byMcp = async ({ keys }: TestAccount, operation: string, input: object): Promise<CallOutcome> => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${platform.running.address}/mcp?mode=full`), {
      requestInit: { headers: { Authorization: `Bearer ${keys.live.secret}` } },
    });
    await client.connect(Object.assign(transport, {}));
    const answer = await client.callTool({ name: operation.replaceAll('.', '_'), arguments: { ...input } });
    await client.close();
    if (answer.isError !== true) return { result: at(answer.structuredContent, 'result') };
    const said = String(at(answer.content, '0', 'text'));
    const error = at(JSON.parse(said.slice(said.indexOf('\n{') + 1)), 'error');
    return { code: at(error, 'code'), fix: at(error, 'fix') };
  };

  const calls: [description: string, operation: string, input: object][] = [
    ['a read', 'account.get', {}],
    ['a list', 'developers.key.list', { limit: 1 }],
    ['a write that changes nothing', 'account.update', { name: 'Acme' }],
    ['an error that names the field', 'email.send', { to: 'nobody', subject: 'x', text: 'x' }],
    ['an id that does not exist', 'email.message.get', { messageId: '01890a5d-ac96-774b-bcce-b302099a8057' }],
    ['an error caused by the current state', 'account.theme.publish', {}],
  ];
  for (const [description, operation, input] of calls) {
    itNeeding(...(operation.startsWith('email.') ? (['email'] as const) : []))(
      `has the same result for ${description}: ${operation}`,
      async function () {
        this.timeout(60_000);
        const account = await platform.account();
        const plain = await byHttp(account, operation, input);
        expect(await bySdk(account, operation, input)).to.deep.equal(plain);
        expect(await byCli(account, operation, input)).to.deep.equal(plain);
        const byTool = await byMcp(account, operation, input);
        // The next step names tools instead of operations: test/mcp/agent.test.ts.
        if ('code' in byTool) expect({ ...byTool, fix: '' }).to.deep.equal({ ...plain, fix: '' });
        else expect(byTool).to.deep.equal(plain);
      },
    );
  }
});
