import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { call } from './support/call.js';
import { allDisconnected, endLeases, heldIds, onlyHeldLeft, settled } from './support/leases.js';
import type { NodeProcess } from './support/node.js';
import { expectChains, expectDelivered, expectMail, expectOneOfEach, type History } from './support/promises.js';
import { openStage, type Stage } from './support/stage.js';
import { planWrites, replayWrites, runWrites, seeded, type Random, type Write } from './support/workload.js';

/** How long the database is unreachable: the fault itself, not a wait for something else. */
const awayMs = 3_000;
const writesPerFault = 60;

describe('A node whose database', function () {
  this.timeout(120_000);
  needProducts('email');
  let stage: Stage;
  let node: NodeProcess;
  let bearers: string[];
  let random: Random;
  const ends: (() => Promise<void>)[] = [];
  const history: History = { writes: [], faults: [] };

  before(async () => {
    random = seeded('database');
    stage = await openStage();
    ends.push(() => stage.close());
    node = await stage.start({ throughProxy: true });
    bearers = await stage.clients(node, 8);
    await stage.subscribe(node, `${stage.webhooks.url}/all`);
    await stage.subscribe(node, `${stage.webhooks.url}/mail`, ['email.*']);
    await settled(stage.db);
  });
  after(() => Promise.all(ends.map((end) => end())));

  /** Starts a workload. @returns once it has had ten answers */
  async function beginWrites(name: string): Promise<{ lines: Write[][]; unavailable: Promise<number> }> {
    const lines = planWrites(random, `W ${name}`, bearers, writesPerFault);
    const unavailable = runWrites(lines, [node.address], random);
    unavailable.catch(() => undefined);
    await eventually(
      () => lines.flat().filter(({ answer }) => answer !== undefined).length >= 10,
      'the middle of the workload',
    );
    return { lines, unavailable };
  }

  /** Repeats every key and checks the promises. The node must have survived. */
  async function expectRecovered(lines: Write[][]): Promise<void> {
    await replayWrites(lines, node.address);
    await replayWrites(lines, node.address);
    // Work whose outcome could not be recorded stays leased until the lease expires.
    await onlyHeldLeft(stage.db);
    history.faults.push(await endLeases(stage.db));
    await settled(stage.db);
    history.writes.push(...lines.flat());
    await expectOneOfEach(stage, history);
    await expectDelivered(stage, history);
    await expectMail(stage, history);
    await expectChains(stage);
    expect(node.ending(), node.printed()).to.equal(undefined);
  }

  const readiness = async (): Promise<number> => (await fetch(`${node.address}/readyz`)).status;

  it('is cut off answers unavailable, and afterwards nothing is lost or done twice', async () => {
    const { lines, unavailable } = await beginWrites('cut');
    stage.proxy.sever();
    const away = pause(awayMs);
    // What was in flight: the node cannot reach the database, so this does not change now.
    await allDisconnected(stage.db);
    history.faults.push(await heldIds(stage.db));
    const refused = await call(node.address, bearers[0] ?? '', { operation: 'account.get', input: {} });
    expect(refused).to.deep.equal({ kind: 'open', why: 'unavailable' });
    expect(await readiness()).to.equal(503);
    expect(await unavailable, 'writes answered unavailable').to.be.above(0);
    await away;
    stage.proxy.restore();
    await eventually(async () => (await readiness()) === 200, 'a ready node');
    await expectRecovered(lines);
  });

  it('hangs is not ready, and afterwards nothing is lost or done twice', async () => {
    const { lines, unavailable } = await beginWrites('hang');
    stage.proxy.freeze();
    const away = pause(awayMs);
    expect(await readiness()).to.equal(503);
    history.faults.push(await heldIds(stage.db));
    await away;
    stage.proxy.restore();
    await unavailable;
    await eventually(async () => (await readiness()) === 200, 'a ready node');
    await expectRecovered(lines);
  });
});
