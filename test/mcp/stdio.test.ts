import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { compiledProgram } from '#test/support/compiled.js';
import { usePlatform } from '#test/support/platform.js';

describe('svc mcp', () => {
  const platform = usePlatform();
  const bridge = (): string[] => [
    ...[compiledProgram('scripts/svc.ts'), 'mcp', '--products', 'account'],
    ...['--base-url', platform.running.address],
  ];
  const environmentWith = (key: string): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    SVC_API_KEY: key,
    XDG_CONFIG_HOME: '/nonexistent',
  });

  const initialize = {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  /** Sends requests and ends the input. @returns the lines that come back */
  async function answersTo(args: readonly string[], key: string, requests: readonly object[]): Promise<string[]> {
    const child = execFile(process.execPath, args, { env: environmentWith(key) });
    const output: string[] = [];
    child.stdout?.on('data', (chunk: string) => output.push(chunk));
    child.stdin?.end(requests.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''));
    await once(child, 'close');
    return output.join('').trim().split('\n');
  }

  it('serves the same tools as /mcp over stdio, and calls them', async function () {
    this.timeout(60_000);
    const { keys, accountId } = await platform.account();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...bridge(), '--mode', 'full'],
      env: environmentWith(keys.live.secret),
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    try {
      expect(client.getInstructions()).to.contain('LIVE environment');
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name))
        .to.include('account_get')
        .and.not.include('email_send');
      const answer = await client.callTool({ name: 'account_get', arguments: {} });
      expect(JSON.stringify(answer.structuredContent)).to.contain(accountId);
    } finally {
      await client.close();
    }
  });

  it('tells the refusal of a key that is not valid, and what to do', async function () {
    this.timeout(60_000);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: bridge(),
      env: environmentWith('svc_test_nothing'),
    });
    const problem = await new Client({ name: 'test', version: '1' }).connect(transport).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    expect(problem).to.contain('unauthenticated: No valid key was presented').and.contain('Send the header');
    expect(problem).not.to.contain('{');
  });

  it('says which server cannot be reached, and why', async function () {
    this.timeout(60_000);
    const answers = await answersTo([...bridge(), '--base-url', 'http://127.0.0.1:2'], 'svc_test_nothing', [
      initialize,
    ]);
    expect(answers).to.have.length(1);
    expect(answers[0]).to.contain('The svc server at http://127.0.0.1:2 could not be called: connect ECONNREFUSED');
  });

  it('answers messages of any size: one that is too large is refused by the server, and the next one is served', async function () {
    this.timeout(60_000);
    const { keys, accountId } = await platform.account();
    const answers = await answersTo([...bridge(), '--mode', 'full'], keys.live.secret, [
      { id: 2, method: 'tools/call', params: { name: 'account_get', arguments: { a: 'a'.repeat(17 * 1024 * 1024) } } },
      { id: 3, method: 'tools/call', params: { name: 'account_get', arguments: {} } },
    ]);
    expect(answers.find((text) => text.includes('"id":2'))).to.contain('body_too_large');
    expect(answers.find((text) => text.includes('"id":3'))).to.contain(accountId);
  });

  it('answers all that was asked before its input ended', async function () {
    this.timeout(60_000);
    const { keys, accountId } = await platform.account();
    const answers = await answersTo([...bridge(), '--mode', 'full'], keys.live.secret, [
      initialize,
      { id: 2, method: 'tools/call', params: { name: 'account_get', arguments: {} } },
    ]);
    expect(answers).to.have.length(2);
    expect(answers.join('')).to.contain(accountId);
  });
});
