import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { root, shellBlocks } from '#test/docs/shell-blocks.js';
import { startNode, type NodeProcess } from '#test/faults/support/node.js';
import { useBrowser } from '#test/support/browser.js';
import { createTestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';

/** `npx tsx`, from the packages of this repository. */
const npxTsx = `npx() { shift; exec '${process.execPath}' --conditions=svc-source --import '${import.meta.resolve('tsx')}' "$@"; }`;

/**
 * What a newcomer does: “A first sign-in in five minutes” of README.md, and then examples/sign-in. Ports differ,
 * nothing else.
 */
describe('A first sign-in, as README.md and examples/sign-in/README.md say', function () {
  this.timeout(120_000);
  const browser = useBrowser();
  const state: { folder?: string; node?: NodeProcess; drop?: () => Promise<void>; apps: ChildProcess[] } = { apps: [] };
  const ports = { svc: 0, app: 0 };
  const environment = (): Record<string, string | undefined> => ({
    PATH: process.env['PATH'],
    HOME: state.folder,
    TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
    SVC_API_URL: `http://127.0.0.1:${ports.svc}`,
    PORT: String(ports.app),
  });

  before(async () => {
    ports.svc = await freePort();
    ports.app = await freePort();
    state.folder = await mkdtemp(join(tmpdir(), 'svc-first-sign-in-'));
    await symlink(join(root, 'examples'), join(state.folder, 'examples'));
    const { url, drop } = await createTestDatabase();
    state.drop = drop;
    state.node = await startNode({
      SVC_DATABASE_URL: url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_PORT: String(ports.svc),
      SVC_STATE_DIR: join(state.folder, 'var'),
    });
  });
  after(async () => {
    for (const app of state.apps) app.kill('SIGKILL');
    await state.node?.stop();
    await state.drop?.();
    if (state.folder !== undefined) await rm(state.folder, { recursive: true, force: true });
  });

  const here = (text: string): string =>
    text.replaceAll('127.0.0.1:8080', `127.0.0.1:${ports.svc}`).replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.app}`);

  /** Runs a block in a shell. @returns what it prints */
  async function typed(text: string | undefined): Promise<string> {
    if (text === undefined) throw new Error('The document has no such block.');
    const shell = { cwd: state.folder, env: environment() };
    // As the README's first mail sets it.
    const key = `KEY=$(node -p "require('./var/first-run.json').keys.live.secret")`;
    return (await promisify(execFile)('bash', ['-e', '-c', `${key}\n${here(text)}`], shell)).stdout;
  }

  /** Signs in on the hosted page that is open, with the code from /dev/mailbox. */
  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code').waitFor();
    const mailbox = await page.context().newPage();
    await mailbox.goto(here('http://127.0.0.1:8080/dev/mailbox'));
    await mailbox.getByRole('link', { name: email }).first().click();
    await mailbox.getByRole('link', { name: 'Text', exact: true }).click();
    const text = (await mailbox.getByRole('region', { name: 'The message as text' }).textContent()) ?? '';
    await mailbox.close();
    await page.getByLabel('Code').fill(/\b\d{6}\b/.exec(text)?.[0] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Starts the example. @returns what it has printed so far */
  async function started(text: string | undefined, changed: Record<string, string> = {}): Promise<() => string> {
    const shell = { cwd: state.folder, env: { ...environment(), ...changed } };
    const app = spawn('bash', ['-c', `${npxTsx}\n${here(text ?? '')}`], shell);
    state.apps.push(app);
    let printed = '';
    for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await eventually(() => printed.includes('Open ') || app.exitCode !== null, 'the example to start', 30_000);
    return () => printed;
  }

  it('ends on the account page, and with the example’s server in the app', async () => {
    const [address, allow] = await shellBlocks('README.md', 'A first sign-in in five minutes');
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto((await typed(address?.text)).trim());
    await signIn(page, 'ada@example.com');
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor();
    expect(await typed(allow?.text)).to.contain('"result":');

    const [first, start] = await shellBlocks('examples/sign-in/README.md');
    expect(await typed(first?.text)).to.contain('"result":');
    const printed = await started(start?.text);
    expect(printed()).to.contain(`Open ${here('http://127.0.0.1:3000')}`);

    const visitor = await browser.open({ locale: 'en-GB' });
    await visitor.goto(here('http://127.0.0.1:3000'));
    await visitor.getByRole('link', { name: 'Sign in' }).click();
    await signIn(visitor, 'grace@example.com');
    await visitor.getByText(/^You are user [0-9a-f-]{36}\.$/).waitFor();
    expect(visitor.url()).to.equal(`${here('http://127.0.0.1:3000')}/`);

    const port = await freePort();
    const elsewhere = await started(start?.text, {
      PORT: String(port),
      SVC_API_URL: `http://localhost:${ports.svc}`,
    });
    await visitor.goto(`http://127.0.0.1:${port}`);
    await visitor.getByText('wrong_issuer. SVC_API_URL').waitFor();
    expect(elsewhere()).to.contain('must be the server’s SVC_BASE_URL');

    await visitor.goto(here('http://127.0.0.1:3000'));
    await visitor.context().addCookies([{ name: 'access', value: 'forged', url: here('http://127.0.0.1:3000') }]);
    await visitor.reload();
    await visitor.getByRole('link', { name: 'Sign in' }).waitFor();
    // An address with somebody else's code signs nobody in: this browser did not start that sign-in.
    await visitor.goto(`${here('http://127.0.0.1:3000')}/callback?svc_code=svc_hc_forged&state=forged`);
    await visitor.getByRole('link', { name: 'Sign in' }).waitFor();
    const forged = await fetch(`${here('http://127.0.0.1:3000')}/callback?svc_code=svc_hc_forged`);
    expect(forged.status).to.equal(400);
  });
});
