import { execFile, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { examplePayload } from '#core/kernel/events/example.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { pythonExample } from '#core/surfaces/reference/examples.js';
import { keysOf } from '#core/surfaces/reference/forms.js';
import { signedIn } from '#test/auth/support.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { usePython, wheelAddress } from '#test/support/python.js';
import { operations } from '../contract/support/operations.js';

const run = promisify(execFile);
const guide = fileURLToPath(new URL('../../docs/python.md', import.meta.url));

/** A program of docs/python.md by its name, which its first line states. */
async function program(name: string): Promise<string> {
  const text = await readFile(guide, 'utf8');
  const found = [...text.matchAll(/^```python\n([^]*?)^```$/gm)].find(([, code]) => code?.startsWith(`# ${name}\n`));
  if (!found?.[1]) throw new Error(`docs/python.md has no program ${name}.`);
  return found[1];
}

/** Correct only if the types say what they should: mypy reports exactly the lines that end with “error”. */
const consumer = `
from typing import List
from svc_sdk import AsyncSvc, Svc, SvcError, types
from svc_sdk.webhooks import construct_event

svc = Svc("key", base_url="http://127.0.0.1:9")
content: types.EmailSendInputAttachmentsItem = {"filename": "a.txt", "content": "YQ==", "content_type": "text/plain"}
sent = svc.email.send(to=("a@example.com", "b@example.com"), subject="x", attachments=[content], reply_to="c@example.com")
text: str = sent.message_id
number: int = sent.message_id  # error
sent.mesage_id  # error
svc.email.send(to="a@example.com", subjekt="x")  # error
svc.email.send(to="a@example.com", subject="x", attachments=[{"filename": "a.txt"}])  # error
svc.audience.contact.get(email="a@example.com")
svc.audience.contact.get()  # error
svc.audience.contact.get(email="a@example.com", phone="+4930123456")  # error
svc.email.message.list(status="sended")  # error
members: List[types.Member] = list(svc.account.member.list.all(limit=2))


async def read(client: AsyncSvc) -> str:
    async for member in client.account.member.list.all():
        return member.emial  # error
    return (await client.account.get()).account.name


def receive(body: bytes) -> str:
    event = construct_event(body, None, None)
    if event.type == "email.bounced":
        return event.data.message.message_id
    if event.type == "email.bouncd":  # error
        return ""
    return event.data.message.message_id  # error


def is_known(error: SvcError) -> bool:
    return error.code == "sender_not_verified" and error.fix != ""
`;

describe('The Python SDK, installed from a running server', function () {
  this.timeout(180_000);
  needProducts('email', 'audience', 'auth');
  const platform = usePlatform({
    settings: async () => {
      const port = await freePort();
      return { SVC_PORT: String(port), SVC_BASE_URL: `http://127.0.0.1:${port}` };
    },
  });
  const python = usePython();
  const address = (): string => platform.running.address;

  const runProgram = async (name: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const file = join(python.folder, name);
    await writeFile(file, await program(name));
    return run(python.python, [file, ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  };

  before(async () => python.install(await wheelAddress(address())));

  it('is a wheel that pip accepts with its checksum, the same bytes at each request, and typed', async () => {
    const url = await wheelAddress(address());
    const answer = await fetch(url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(answer.headers.get('content-type')).to.equal('application/zip');
    const again = await fetch(url, { headers: { 'If-None-Match': answer.headers.get('etag') ?? '' } });
    expect(again.status).to.equal(304);
    await python.install(`${url}#sha256=${sha256}`);
    const shown = await run(python.python, ['-m', 'pip', 'show', '--verbose', 'svc-sdk']);
    expect(shown.stdout).to.contain('Name: svc-sdk').and.contain('Requires: httpx').and.contain('Typing :: Typed');
    // Files with their checksums: pip removes exactly these.
    const files = await run(python.python, ['-m', 'pip', 'show', '--files', 'svc-sdk']);
    expect(files.stdout).to.contain('svc_sdk/py.typed').and.contain('svc_sdk/_types_gen.py').and.contain('LICENSE');
  });

  it('has types for strict checkers: what is misspelt or missing is an error, and nothing else', async () => {
    const file = join(python.folder, 'consumer.py');
    await writeFile(file, consumer);
    const others = ['send.py', 'messages.py', 'receiver.py', 'whoami.py'];
    for (const name of others) await writeFile(join(python.folder, name), await program(name));
    // The examples of the reference, of every operation.
    const examples = operations.map((each) => pythonExample(each, keysOf(each.input).fields));
    await writeFile(
      join(python.folder, 'examples.py'),
      ['from svc_sdk import Svc', 'svc = Svc("k")', ...examples].join('\n'),
    );
    const args = [
      '-m',
      'mypy',
      '--strict',
      '--no-incremental',
      '--cache-dir=/dev/null',
      '--no-error-summary',
      '--no-color-output',
    ];
    const { stdout } = await run(python.python, [
      ...args,
      file,
      ...[...others, 'examples.py'].map((name) => join(python.folder, name)),
    ]).catch((error: unknown) => ({ stdout: String(at(error, 'stdout')) }));
    const reported = [...stdout.matchAll(/^(.*?):(\d+): error: /gm)].map(
      ([, path = '', line]) => `${path.split('/').at(-1)}:${line}`,
    );
    const expected = consumer
      .split('\n')
      .flatMap((line, index) => (line.endsWith('# error') ? [`consumer.py:${index + 1}`] : []));
    expect([...new Set(reported)], stdout).to.deep.equal(expected);
  });

  it('shows the fields of a reply by their names in Python, and keeps unknown ones', async () => {
    const code = `
import copy, pickle
from svc_sdk import envelope_of, types
raw = {"account": {"id": "a", "heardFrom": None, "nextField": 1}, "memberCount": 2}
reply = types.AccountGetResult(raw)
print(reply, reply.account["nextField"], "nextField" in reply.account)
print(pickle.loads(pickle.dumps(reply)) == reply == copy.deepcopy(reply), reply.to_dict() == raw)
for work in (lambda: reply.account.nme, lambda: setattr(reply, "member_count", 3), lambda: envelope_of(reply.account)):
    try:
        work()
    except (AttributeError, ValueError) as error:
        print(error)
`;
    const { stdout } = await run(python.python, ['-c', code]);
    expect(stdout.trim().split('\n')).to.deep.equal([
      "AccountGetResult(account=Account(id='a', heard_from=None, nextField=1), member_count=2) 1 True",
      'True True',
      'Account has no field nme. The server sent: id, heard_from, nextField.',
      'AccountGetResult is a reply and cannot be changed.',
      'envelope_of() takes the object that a call returned, not a part of it.',
    ]);
  });

  it('keeps secrets out of errors, and survives copies between processes and hostile input', async () => {
    const code = `
import pickle
from svc_sdk import Svc, SvcError
from svc_sdk._retry import retry_after_of
from svc_sdk.tokens import TokenRejected, TokenVerifier
from svc_sdk.webhooks import WebhookRejected
import httpx

for key in ("svc_live_SECRET\\n", "svc_test_…"):
    try:
        Svc(key)
    except ValueError as error:
        print(error)
error = SvcError("m", code="c", fix="f", retry_after=3)
copies = [pickle.loads(pickle.dumps(each)) for each in (error, WebhookRejected("malformed_header"), TokenRejected("expired"))]
print(copies[0], copies[0].retry_after, copies[1].reason, copies[2].reason, copies[2])
print(retry_after_of("9" * 5000, ""), retry_after_of("9" * 400, ""))

asked = []
def answer(request):
    asked.append(1)
    if len(asked) > 1:
        raise httpx.ConnectError("down")
    return httpx.Response(200, json={"keys": []})

clock = [0.0]
verifier = TokenVerifier("e", base_url="http://x", http_client=httpx.Client(transport=httpx.MockTransport(answer)), now=lambda: clock[0])
def reason(token):
    try:
        verifier.verify(token)
    except TokenRejected as rejected:
        return rejected.reason
forged = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ.e30.x"
print(reason(forged.replace("e30", "\\ud800")))
for at in (0, 31, 32, 60, 62, 400):
    clock[0] = at
    print(reason(forged), len(asked))
`;
    const { stdout } = await run(python.python, ['-c', code]);
    const headerProblem = 'api_key must be visible ASCII without spaces or line breaks. Remove what surrounds it.';
    expect(stdout.trim().split('\n')).to.deep.equal([
      headerProblem,
      headerProblem,
      'm [c] f 3 malformed_header expired The access token is not valid: expired.',
      'None None',
      'malformed',
      // An unknown key is asked for once in 30 seconds, also while the server does not answer.
      ...['unknown_key 1', 'unknown_key 2', 'unknown_key 2', 'unknown_key 2', 'unknown_key 3', 'unknown_key 4'],
    ]);
  });

  it('sends a mail and pages through messages as docs/python.md shows', async () => {
    const { keys } = await platform.account();
    const key = { SVC_API_KEY: keys.live.secret };
    for (let count = 0; count < 3; count += 1)
      expect((await runProgram('send.py', key)).stdout).to.match(/^[0-9a-f-]{36} queued\n$/);
    const listed = await runProgram('messages.py', key);
    expect(listed.stdout.trim().split('\n')).to.have.length(3);
    expect(listed.stdout).to.contain('Your order A-1024');
    const refused: unknown = await runProgram('send.py', { SVC_API_KEY: 'svc_live_unknown' }).catch(
      (error: unknown) => error,
    );
    expect(at(refused, 'stderr')).to.match(/^unauthenticated: /);
  });

  it('receives webhooks as docs/python.md shows', async () => {
    const port = await freePort();
    const file = join(python.folder, 'receiver.py');
    await writeFile(file, await program('receiver.py'));
    const env = { PATH: process.env['PATH'] ?? '', PORT: String(port), WEBHOOK_SECRET: 'svc_wh_secret' };
    const receiver = spawn(python.python, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(receiver, 'exit');
    const lines: string[] = [];
    receiver.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    const declaration = createRegistry(await findPlugins(), []).events.get('email.bounced');
    const body = JSON.stringify(declaration && examplePayload('email.bounced', declaration));
    const deliver = (secret: string): Promise<number> => {
      const t = Math.floor(Date.now() / 1000);
      const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
      const headers = { 'Svc-Signature': `t=${t},v1=${v1}` };
      return fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers }).then(
        ({ status }) => status,
        () => 0,
      );
    };
    try {
      await eventually(async () => (await deliver('svc_wh_secret')) === 204, 'the receiver answers');
      expect(await deliver('another')).to.equal(400);
      await eventually(() => lines.join('').startsWith("bounced: ['"), 'it prints the event');
    } finally {
      receiver.kill();
      await ended;
    }
  });

  itNeeding('auth')('checks access tokens as docs/python.md shows, with the machine’s clock', async () => {
    const account = await platform.account();
    const { accessToken, userId } = await signedIn(platform, account.live);
    const env = { SVC_ENVIRONMENT_ID: account.live.id };
    expect((await runProgram('whoami.py', env, accessToken)).stdout).to.equal(`${userId} False\n`);
    const other: unknown = await runProgram('whoami.py', { SVC_ENVIRONMENT_ID: account.test.id }, accessToken).catch(
      (error: unknown) => error,
    );
    expect(at(other, 'stderr')).to.contain('rejected: unknown_key');
  });
});
