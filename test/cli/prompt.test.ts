import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { svcCommand } from './support.js';

/** Runs commands at a terminal, which util-linux provides. */
const terminal = '/usr/bin/script';

const ctrlD = '\u0004';

/**
 * Runs `svc` at a terminal and answers its question.
 * @returns everything on the screen, with the exit code at its end
 */
async function atTerminal(words: readonly string[], key: string, answer: string): Promise<string> {
  const { program, args, env } = svcCommand(words, { key });
  const command = [program, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(terminal, ['-qec', command, '/dev/null'], { env: { ...env, NO_COLOR: '1', TERM: 'xterm' } });
  child.stdout.on('data', (data: Buffer) => {
    if (data.includes('[y/N]')) child.stdin.write(answer === ctrlD ? answer : `${answer}\n`);
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const screen = await text(child.stdout);
  child.stdin.end();
  return `${screen}exit code ${await ended}`;
}

describe('svc: the prompt of destructive commands', function () {
  this.timeout(60_000);
  before(function () {
    if (!existsSync(terminal)) this.skip();
  });
  const platform = usePlatform();

  it('names the thing and the environment, and changes nothing without a yes', async () => {
    const { svc, keys } = await platform.account();
    const { key } = await svc.call('developers.key.create', { name: 'Old reader', permissions: ['account:read'] });
    const words = ['developers', 'key', 'revoke', '--key-id', key.id, '--base-url', platform.running.address];
    const revoked = async (): Promise<boolean> =>
      (await svc.call('developers.key.list', { revoked: true })).keys.some(
        ({ id, revokedAt }) => id === key.id && revokedAt !== null,
      );

    for (const answer of ['n', '', ctrlD]) {
      const cancelled = await atTerminal(words, keys.live.secret, answer);
      expect(cancelled).to.match(/Cancelled: nothing was changed\.\r?\nexit code 2$/);
      expect(cancelled).not.to.contain('fix:');
    }
    const refused = await atTerminal(words, keys.live.secret, 'n');
    expect(refused).to.contain('Revokes a key immediately.');
    expect(refused).to.match(/key +Old reader, svc_live_/);
    expect(refused).to.match(/environment +live of Acme \/ /);
    expect(refused).to.contain(`at ${platform.running.address}`);
    expect(await revoked()).to.equal(false);

    await atTerminal(words, keys.live.secret, 'y');
    expect(await revoked()).to.equal(true);
  });

  itNeeding('audience')('finds the thing with its own operation, whatever it is called', async () => {
    const { svcTest, keys } = await platform.account();
    const { contact } = await svcTest.call('audience.contact.upsert', { email: 'zoe@example.com' });
    const { endpoint } = await svcTest.call('developers.webhook.create', { url: 'https://example.com/hook' });
    const ask = (...words: string[]) =>
      atTerminal([...words, '--base-url', platform.running.address], keys.test.secret, 'n');
    const [erase, rotate, reset] = await Promise.all([
      ask('audience', 'contact', 'delete', '--contact-id', contact.id),
      ask('developers', 'webhook', 'secret', 'rotate', '--endpoint-id', endpoint.endpointId),
      ask('account', 'theme', 'reset'),
    ]);
    expect(erase).to.match(/contact +zoe@example\.com\r?\n +environment +test of Acme/);
    expect(rotate).to.match(/webhook +https:\/\/example\.com\/hook/);
    expect(reset).to.match(/^[^\n]*Restores the default theme[^\n]*\n +environment +test of Acme/);
  });

  itNeeding('email', 'auth')('names what has a name in place of an id', async () => {
    const { svcTest, keys } = await platform.account();
    await svcTest.call('email.template.draft.save', {
      template: 'order.shipped',
      locales: { en: { subject: 'On its way', text: 'It is on its way.' } },
    });
    const ask = (...words: string[]) =>
      atTerminal([...words, '--base-url', platform.running.address], keys.test.secret, 'n');
    const [template, app, account] = await Promise.all([
      ask('email', 'template', 'delete', '--template', 'order.shipped'),
      ask('auth', 'oauth', 'app', 'remove', '--provider', 'google'),
      ask('account', 'close', '--reason', 'No longer needed'),
    ]);
    expect(template).to.match(/template +order\.shipped\r?\n +environment +test of/);
    expect(app).to.match(/app +google\r?\n +environment +test of/);
    expect(account)
      .to.match(/account +[^\n]+\n +environment +test of/)
      .and.not.contain('No longer needed');
  });
});
