import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { examplePayload } from '#core/kernel/events/example.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { goModulePath } from '#core/surfaces/clients/names.js';
import { zipFile } from '#core/surfaces/clients/zip.js';
import { goExample } from '#core/surfaces/reference/go-example.js';
import { goInputsOf } from '#core/surfaces/sdk-go/generate/inputs.js';
import { signedIn } from '#test/auth/support.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';
import { goModuleVariables, useGo } from '#test/support/go.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { operations } from '../contract/support/operations.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(root, 'core/surfaces/sdk-go/svc');
const ownTests = join(root, 'test/sdk/go');
const programs = ['send', 'messages', 'receiver', 'api'];

/** A program of docs/go.md by the name of its folder, which its first line states. */
async function program(name: string): Promise<string> {
  const text = await readFile(join(root, 'docs/go.md'), 'utf8');
  const found = [...text.matchAll(/^```go\n([^]*?)^```$/gm)].find(([, code]) =>
    code?.startsWith(`// ${name}/main.go\n`),
  );
  if (!found?.[1]) throw new Error(`docs/go.md has no program ${name}.`);
  return found[1];
}

/** Correct only if the types say what they should: the compiler reports exactly the lines that end with “error”. */
const consumer = `package main

import (
	"context"

	"svc.internal/svc"
)

func main() {
	ctx := context.Background()
	client := svc.New("key")
	sent, _ := client.Email.Send(ctx, svc.EmailSendInput{To: []string{"a@example.com"}, Subject: svc.Ptr("x")})
	var text string = sent.MessageID
	var number int = sent.MessageID                                          // error
	_ = sent.MesageID                                                        // error
	_, _ = client.Email.Send(ctx, svc.EmailSendInput{Subjekt: svc.Ptr("x")}) // error
	_, _ = client.Email.Send(ctx, svc.EmailSendInput{Subject: "x"})          // error
	_, _ = client.Email.Send(svc.EmailSendInput{})                           // error
	_, _ = client.Email.Sent(ctx, svc.EmailSendInput{})                      // error
	svc.New("key", svc.WithIdempotencyKey("k"))                              // error
	_, _ = client.Account.Get(ctx, svc.AccountGetInput{}, svc.WithIdempotencyKey("k"))
	_ = svc.AccountUpdateInput{Country: svc.Null[int64]()} // error
	_ = svc.AccountUpdateInput{Country: svc.Null[string](), Name: svc.Ptr("n")}
	_ = svc.EmailMessageListInput{Status: svc.Ptr(svc.EmailMessageStatusSent), Limit: svc.Int(5)}
	_, _ = text, number
}
`;

/** The beginning of a program that runs the examples of the reference against the server at URL. */
const examplesHead = `package main

import (
	"context"
	"log"
	"os"

	"svc.internal/svc"
)

func check(_ any, err error) {
	if err != nil {
		log.Fatal(err)
	}
}
`;

describe('The Go SDK, from a running server', function () {
  this.timeout(300_000);
  needProducts('email', 'audience', 'auth');
  const platform = usePlatform({
    settings: async () => {
      const port = await freePort();
      return { SVC_PORT: String(port), SVC_BASE_URL: `http://127.0.0.1:${port}` };
    },
  });
  const project = useGo();
  const address = (): string => platform.running.address;
  const variables = (): Readonly<Record<string, string>> => goModuleVariables(address());
  const module = (path: string) => fetch(`${address()}/clients/go/${path}`);
  const rejection = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => '',
      (error: unknown) => String(at(error, 'stderr')),
    );

  before(async () => {
    await project.go(['get', `${goModulePath}@latest`], variables());
    for (const name of programs) await project.write(name, { 'main.go': await program(name) });
  });

  /** Runs a program of the guide until it ends. */
  const runProgram = async (name: string, env: Readonly<Record<string, string>>) =>
    run(await project.build(name), [], { env: { ...env } });

  /** Starts a server of the guide, waits until it answers, and ends it after the work. */
  async function withServer(
    name: string,
    env: Readonly<Record<string, string>>,
    work: (url: string, lines: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const port = await freePort();
    const path = await project.build(name);
    const server: ChildProcessByStdio<null, Readable, null> = spawn(path, {
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    const lines: string[] = [];
    server.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    const url = `http://127.0.0.1:${port}`;
    const answersAtAll = (): Promise<boolean> =>
      fetch(url).then(
        () => true,
        () => false,
      );
    try {
      await eventually(answersAtAll, 'the program answers');
      await work(url, lines);
    } finally {
      server.kill();
      await ended;
    }
  }

  it('is a module whose bytes are the same at each request, in a version of its own', async () => {
    const version = (await (await module(`${goModulePath}/@v/list`)).text()).trim();
    expect(version).to.match(/^v\d+\.\d+\.\d+-(?:[\w.]+\.)?h[0-9a-f]{12}$/);
    const latest: unknown = await (await module(`${goModulePath}/@latest`)).json();
    expect(at(latest, 'Version')).to.equal(version);
    const manifest = await (await module(`${goModulePath}/@v/${version}.mod`)).text();
    expect(manifest).to.equal(await readFile(join(sources, 'go.mod'), 'utf8'));
    expect(manifest.split('\n')[0], 'of version 2 or newer, the path ends with /v2').to.equal(`module ${goModulePath}`);
    const zip = await module(`${goModulePath}/@v/${version}.zip`);
    const again = await fetch(zip.url, { headers: { 'If-None-Match': zip.headers.get('etag') ?? '' } });
    expect([zip.headers.get('content-type'), again.status]).to.deep.equal(['application/zip', 304]);
    expect((await fetch(zip.url, { method: 'POST' })).status).to.equal(405);
    expect((await project.go(['mod', 'verify'])).stdout).to.contain('all modules verified');
    expect((await project.go(['list', '-m', goModulePath])).stdout).to.equal(`${goModulePath} ${version}\n`);
  });

  it('says which version it has, and leaves other modules to the next proxy', async () => {
    const next = join(project.folder, 'proxy');
    const versions = join(next, 'example.com/other/@v');
    const file = (path: string, text: string) => ({ path, content: Buffer.from(text) });
    const manifest = 'module example.com/other\n\ngo 1.19\n';
    await mkdir(versions, { recursive: true });
    await writeFile(join(versions, 'list'), 'v1.2.0\n');
    await writeFile(join(versions, 'v1.2.0.info'), '{"Version": "v1.2.0"}');
    await writeFile(join(versions, 'v1.2.0.mod'), manifest);
    await writeFile(
      join(versions, 'v1.2.0.zip'),
      await zipFile([file('go.mod', manifest), file('other.go', 'package other\n')], 'example.com/other@v1.2.0/'),
    );
    const env = { GOPROXY: `${address()}/clients/go,file://${next}`, GONOSUMDB: 'svc.internal,example.com' };
    await project.go(['get', `${goModulePath}@latest`, 'example.com/other@latest'], env);
    expect((await project.go(['list', '-m', 'all'])).stdout).to.contain('example.com/other v1.2.0');
    await project.go(['get', 'example.com/other@none'], env);
    expect(await rejection(project.go(['get', `${goModulePath}@v0.0.1`], env)))
      .to.contain('This server has only the version v')
      .and.contain(`go get ${goModulePath}@latest`);
    expect(await rejection(project.go(['get', 'example.com/missing@latest'], variables()))).to.contain(
      `This server has only the module ${goModulePath}.`,
    );
  });

  it('is also a zip file with its checksum, for replace', async () => {
    const listed: unknown = await (await fetch(`${address()}/clients`)).json();
    const clients = at(listed, 'clients');
    const facts: unknown = Array.isArray(clients) ? clients.find((each) => at(each, 'name') === 'svc-go') : undefined;
    const bytes = Buffer.from(await (await fetch(String(at(facts, 'url')))).arrayBuffer());
    expect(at(facts, 'sha256')).to.equal(createHash('sha256').update(bytes).digest('hex'));
    expect(bytes.includes('svc/go.mod')).to.equal(true);
    expect(at(facts, 'install')).to.equal(
      `GOPROXY=${address()}/clients/go,$(go env GOPROXY) GONOSUMDB=svc.internal go get svc.internal/svc@latest`,
    );
  });

  it('is in the form of gofmt, and go vet finds nothing', async () => {
    await project.write('behaviour', {});
    for (const name of await readdir(ownTests))
      await project.write('behaviour', { [name]: await readFile(join(ownTests, name), 'utf8') });
    const folders = [sources, ownTests, join(root, 'test/sdk/conformance/go'), project.folder];
    expect((await project.gofmt(['-l', ...folders])).stdout).to.equal('');
    await project.go(['vet', goModulePath, './...']);
  });

  it('has types: what is misspelt or of another type is an error, and nothing else', async () => {
    await project.write('consumer', { 'main.go': consumer });
    const reported = await rejection(project.go(['build', '-gcflags=-e', '-o', '/dev/null', './consumer']));
    const lines = [...reported.matchAll(/main\.go:(\d+):/g)].map(([, line]) => Number(line));
    const expected = consumer.split('\n').flatMap((line, index) => (line.endsWith('// error') ? [index + 1] : []));
    expect([...new Set(lines)], reported).to.deep.equal(expected);
    await project.remove('consumer');
  });

  it('has an example of every operation in the reference, which compiles and sends what the curl line sends', async () => {
    const functions = operations.map((each, index) => {
      const code = goExample(each, goInputsOf([each])).replace(/^(?=.)/gm, '\t');
      return `func example${index}(ctx context.Context, client *svc.Client) (any, error) {\n${code}\n\treturn out, err\n}\n`;
    });
    const calls = operations.map((_, index) => `\tcheck(example${index}(ctx, client))\n`).join('');
    const main = `func main() {\n\tctx, client := context.Background(), svc.New("key", svc.WithBaseURL(os.Getenv("URL")))\n${calls}}\n`;
    await project.write('examples', { 'main.go': [examplesHead, ...functions, main].join('\n') });
    expect((await project.gofmt(['-l', join(project.folder, 'examples')])).stdout).to.equal('');
    await project.go(['vet', './examples']);
    const received: string[] = [];
    const server = createServer((incoming, outgoing) => {
      void text(incoming).then((body) => {
        received.push(`{"path":"${incoming.url}","input":${body}}`);
        outgoing.setHeader('Content-Type', 'application/json').end('{"activityId":"","result":{}}');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const bound = server.address();
    const url = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
    try {
      await run(await project.build('examples'), [], { env: { URL: url } });
    } finally {
      server.close().closeAllConnections();
    }
    // A list of one text is sent as the text where the interface takes both.
    const parsed = (json: string): unknown => JSON.parse(json.replace(/\[("(?:[^"\\]|\\.)*")\]/g, '$1'));
    const shown = operations.map(({ name, example }) => ({
      path: `/${name.replaceAll('.', '/')}`,
      input: example.input ?? {},
    }));
    expect(parsed(`[${received.join(',')}]`)).to.deep.equal(parsed(JSON.stringify(shown)));
    await project.remove('examples');
  });

  it('behaves as its documentation says', async () => {
    for (const name of await readdir(ownTests))
      await project.write('behaviour', { [name]: await readFile(join(ownTests, name), 'utf8') });
    const outcome = await project.go(['test', '-vet=off', './behaviour']).catch((error: unknown) => error);
    expect(String(at(outcome, 'stdout'))).to.match(/^ok\s/);
  });

  it('sends a mail and pages through messages as docs/go.md shows', async () => {
    const { keys } = await platform.account();
    const key = { SVC_API_KEY: keys.live.secret };
    for (let count = 0; count < 3; count += 1)
      expect((await runProgram('send', key)).stdout).to.match(/^[0-9a-f-]{36} queued\n$/);
    const listed = await runProgram('messages', key);
    expect(listed.stdout.trim().split('\n')).to.have.length(3);
    expect(await rejection(runProgram('send', { SVC_API_KEY: 'svc_live_unknown' }))).to.contain('unauthenticated: ');
  });

  it('receives webhooks as docs/go.md shows', async () => {
    const declaration = createRegistry(await findPlugins(), []).events.get('email.bounced');
    const body = JSON.stringify(declaration && examplePayload('email.bounced', declaration));
    await withServer('receiver', { WEBHOOK_SECRET: 'svc_wh_secret' }, async (url, lines) => {
      const deliver = async (secret: string): Promise<number> => {
        const t = Math.floor(Date.now() / 1000);
        const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
        const headers = { 'Svc-Signature': `t=${t},v1=${v1}` };
        return (await fetch(url, { method: 'POST', body, headers })).status;
      };
      expect(await deliver('svc_wh_secret')).to.equal(204);
      expect(await deliver('another')).to.equal(400);
      await eventually(() => lines.join('').startsWith('bounced: ['), 'it prints the event');
    });
  });

  itNeeding('auth')('checks access tokens as docs/go.md shows, with the machine’s clock', async () => {
    const account = await platform.account();
    const { accessToken, userId } = await signedIn(platform, account.live);
    await withServer('api', { SVC_ENVIRONMENT_ID: account.live.id }, async (url) => {
      const ask = (token: string) => fetch(`${url}/me`, { headers: { Authorization: `Bearer ${token}` } });
      expect(await (await ask(accessToken)).text()).to.equal(`${userId} false\n`);
      const forged = await ask(`${accessToken.slice(0, -4)}AAAA`);
      expect(forged.status).to.equal(401);
      expect(forged.headers.get('www-authenticate')).to.equal(
        'Bearer error="invalid_token", error_description="wrong_signature"',
      );
    });
  });
});
