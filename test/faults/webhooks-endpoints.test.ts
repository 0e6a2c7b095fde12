import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { call } from './support/call.js';
import type { NodeProcess } from './support/node.js';
import { startReceiver, verified, type Receiver } from './support/receiver.js';
import { openStage, type Endpoint, type Stage } from './support/stage.js';

const writes = 40;
/** The time limit of an attempt. A delivery that waited for another endpoint's attempt would take at least as long. */
const attemptMs = 15_000;

const timers = new Set<NodeJS.Timeout>();

/** Answers one byte a second, endlessly. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  const timer = setInterval(() => void response.write('.'), 1_000);
  timers.add(timer);
  response.on('close', () => clearInterval(timer));
}

/** Answers as fast as the client reads, endlessly. */
function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  response.on('drain', more);
  more();
}

describe('An endpoint that misbehaves', function () {
  this.timeout(90_000);
  needProducts('email');
  let stage: Stage;
  let node: NodeProcess;
  let inside: Receiver;
  const behaviours: Record<string, (response: ServerResponse) => void> = {
    '/hang': () => undefined,
    '/drip': drip,
    '/flood': flood,
    '/redirect': (response) => void response.writeHead(307, { Location: `${inside.url}/inside` }).end(),
  };
  const bad = new Map<string, { endpoint: Endpoint; receiver: Receiver }>();
  let good: Endpoint;
  const ends: (() => Promise<void>)[] = [];

  before(async () => {
    stage = await openStage();
    ends.push(() => stage.close());
    inside = await startReceiver();
    ends.push(() => inside.close());
    node = await stage.start();
    for (const [path, how] of Object.entries(behaviours)) {
      // Each endpoint is a separate server.
      const receiver = await startReceiver();
      ends.push(() => receiver.close());
      receiver.answer(path, how);
      bad.set(path, {
        receiver,
        endpoint: await stage.subscribe(node, `${receiver.url}${path}`, ['email.template.draft_saved']),
      });
    }
    good = await stage.subscribe(node, `${stage.webhooks.url}/good`, ['email.template.draft_saved']);
  });
  after(async () => {
    timers.forEach((timer) => clearInterval(timer));
    await Promise.all(ends.map((end) => end()));
  });

  const attempts = async (
    path: string,
  ): Promise<{ status: string; error: string | null; response_status: number }[]> => {
    const id = bad.get(path)?.endpoint.id.replaceAll('-', '') ?? '';
    return stage.db.rows(
      `SELECT CONVERT(status USING utf8mb4) AS status, error, response_status FROM developers_delivery
       WHERE HEX(endpoint_id) = ? AND status <> 'queued' ORDER BY id`,
      [id.toUpperCase()],
    );
  };

  it('does not delay the others', async () => {
    const [bearer = ''] = await stage.clients(node, 1);
    const began = Date.now();
    for (let index = 0; index < writes; index += 1) {
      const input = { template: 'greeting', locales: { en: { subject: `Hello ${index}`, text: 'Hello.' } } };
      const outcome = await call(node.address, bearer, { operation: 'email.template.draft.save', input });
      expect(outcome.kind).to.equal('answered');
    }
    await eventually(() => stage.webhooks.of(good.path).length === writes, 'every event at the good endpoint');
    const lastAt = Math.max(...stage.webhooks.of(good.path).map(({ at }) => at));
    for (const receipt of stage.webhooks.of(good.path)) verified(receipt, good.secret);
    for (const [path, { receiver }] of bad) expect(receiver.of(path), path).not.to.have.length(0);
    // The first hanging attempt has not ended yet, so nothing waited for it.
    expect(lastAt - began).to.be.below(attemptMs);
    expect(await attempts('/hang'), 'attempts at the hanging endpoint that have ended').to.deep.equal([]);
  });

  it('that redirects gets a failed attempt, and the redirect is not followed', async () => {
    await eventually(async () => (await attempts('/redirect')).length > 0, 'a recorded redirect');
    const [redirected] = await attempts('/redirect');
    expect(redirected).to.include({ status: 'failed', response_status: 307 });
    expect(inside.receipts).to.deep.equal([]);
  });

  it('that never stops answering is cut off', async () => {
    await eventually(async () => (await attempts('/flood')).length > 0, 'a recorded flood');
    const [flooded] = await attempts('/flood');
    expect(flooded).to.include({ response_status: 200 });
  });

  it('that drips is read for the time of an attempt, and one that hangs fails by its time-out', async () => {
    for (const path of ['/drip', '/hang'])
      await eventually(async () => (await attempts(path)).length > 0, `an ended attempt at ${path}`, 60_000);
    // Its status arrived in time, and the body is only kept for reading.
    expect((await attempts('/drip'))[0]).to.include({ status: 'delivered', error: null });
    expect((await attempts('/hang'))[0]).to.include({ status: 'failed' });
    expect((await attempts('/hang'))[0]?.error).to.match(/^timeout/);
  });
});
