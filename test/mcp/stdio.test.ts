import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { usePlatform } from '#test/support/platform.js';

const program = fileURLToPath(new URL('../../scripts/svc.ts', import.meta.url));

describe('svc mcp', () => {
  const platform = usePlatform();

  it('serves the same tools as /mcp over stdio, and calls them', async function () {
    this.timeout(60_000);
    const { keys, accountId } = await platform.account();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        '--conditions=svc-source',
        '--import',
        'tsx',
        program,
        'mcp',
        '--mode',
        'full',
        '--products',
        'account',
        '--base-url',
        platform.running.address,
      ],
      env: { PATH: process.env['PATH'] ?? '', SVC_API_KEY: keys.live.secret, XDG_CONFIG_HOME: '/nonexistent' },
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
});
