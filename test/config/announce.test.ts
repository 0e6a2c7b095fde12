import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { firstRunPath } from '#core/platform/first-run.js';
import { announced } from './announced.js';
import { useDurableServer } from '#test/kernel/support/durable.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';

const run = promisify(execFile);

describe('The first start in production', () => {
  const server = useDurableServer();
  const platform = usePlatform({
    settings: async () => {
      await server.makeDurable();
      return {
        SVC_BASE_URL: 'https://svc.example.com',
        SVC_SMTP_URL: 'smtp://127.0.0.1:9',
        SVC_OWNER_EMAIL: 'ada@example.com',
      };
    },
  });

  it('prints no key, but the command that shows the keys', () => {
    const text = announced(platform.running).join('\n');
    expect(text).not.to.match(/svc_(live|test)_/);
    expect(text).to.contain(`cat ${firstRunPath(platform.running.services.deployment.settings.stateDir)}`);
  });
});

describe('The first start in development', () => {
  const platform = usePlatform();

  it('prints no key, but a first call that reads the test key from the file', async () => {
    const lines = announced(platform.running);
    expect(lines.join('\n')).not.to.match(/svc_(live|test)_/);
    const commands = lines.slice(lines.indexOf('Try it:') + 1).join('\n');
    const { stdout } = await run('sh', ['-c', `${commands}\nprintf '\\n%s' "$KEY"`]);
    const [answer = '', key] = stdout.split('\n');
    expect(key).to.equal(platform.running.firstRun?.keys.test.secret);
    expect(at(JSON.parse(answer), 'result', 'account', 'name')).to.equal('First account');
  });

  it('names the file with the keys at later starts if this machine has it', async () => {
    const path = firstRunPath(platform.running.services.deployment.settings.stateDir);
    const later = { ...platform.running, firstRun: undefined };
    await stat(path);
    expect(announced(later).join('\n')).to.contain(`keys       ${path}`);
    await rm(path);
    expect(announced(later).join('\n')).not.to.contain(path);
  });
});
