import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { allDisconnected, endLeases, onlyHeldLeft, settled } from './support/leases.js';
import type { NodeProcess } from './support/node.js';
import { expectChains, expectDelivered, expectMail, expectOneOfEach, type History } from './support/promises.js';
import { openStage, type Stage } from './support/stage.js';
import { planWrites, replayWrites, runWrites, seeded, type Random, type Write } from './support/workload.js';

const writesPerCrash = 40;
/** The maximum number of workloads until a crash point is reached. */
const maxRounds = 5;

/** Where the single node dies, and at which pass: in the middle of the workload. */
const alone = [
  'commit.before:20',
  'commit.after:20',
  'work.claimed:6',
  'events.consume.before:4',
  'events.consume.after:4',
  'webhook.request.before:20',
  'webhook.response.after:20',
  'webhook.record.after:20',
  'email.attempt.before:4',
  'email.answer.after:4',
  'email.record.after:4',
];

/** Where one of two nodes dies: it gets about half of the work. */
const ofTwo = [
  'commit.after:8',
  'work.claimed:3',
  'events.sequence.before:2',
  'webhook.response.after:8',
  'email.answer.after:2',
];

/**
 * Points after which a repeat is not only allowed but required: the receiver has the delivery, and no node knows it.
 */
const repeating = new Set(['webhook.response.after', 'email.answer.after']);

interface World {
  stage: Stage;
  bearers: string[];
  history: History;
  random: Random;
  repeats: number;
}

async function openWorld(label: string): Promise<World> {
  const random = seeded(label);
  const stage = await openStage();
  const node = await stage.start();
  const bearers = await stage.clients(node, 8);
  await stage.subscribe(node, `${stage.webhooks.url}/all`);
  await stage.subscribe(node, `${stage.webhooks.url}/mail`, ['email.*']);
  await settled(stage.db);
  expect(await node.stop()).to.equal('0');
  return { stage, bearers, random, history: { writes: [], faults: [] }, repeats: 0 };
}

/**
 * Runs workloads until the node has died: the other of two nodes may take most of the work. @returns all writes, by
 * client
 */
async function writeUntilDead(
  { bearers, random }: World,
  point: string,
  dying: NodeProcess,
  survivor: NodeProcess | undefined,
): Promise<Write[][]> {
  const lines: Write[][] = bearers.map(() => []);
  for (let round = 1; ; round += 1) {
    const more = planWrites(random, `W ${point} ${round}`, bearers, writesPerCrash);
    await runWrites(more, [dying.address, ...(survivor ? [survivor.address] : [])], random);
    for (const [client, writes] of more.entries()) lines[client]?.push(...writes);
    const isLast = round === maxRounds;
    try {
      await dying.diedAtPoint(isLast ? undefined : 5_000);
      return lines;
    } catch (error) {
      if (isLast || dying.ending() !== undefined) throw error;
    }
  }
}

/** A workload, a death in its middle, a restart, a repeat of every key, and then the promises. */
async function survive(world: World, fault: string, survivor: NodeProcess | undefined): Promise<void> {
  const { stage, history } = world;
  const [point = ''] = fault.split(':');
  const dying = await stage.start({ fault });
  const lines = await writeUntilDead(world, point, dying, survivor);
  // With a survivor, the rows do not show which node holds them. The survivor has taken all that it can by then, and
  // what it might still hold counts as in flight, since its lease ends too.
  await (survivor ? onlyHeldLeft(stage.db) : allDisconnected(stage.db));
  history.faults.push(await endLeases(stage.db));
  const restarted = await stage.start();
  try {
    // First repeats the writes: answered ones must match byte for byte, unanswered ones must be answered now. Then
    // repeats all of them, at the other node if there is one.
    await replayWrites(lines, survivor?.address ?? restarted.address);
    await replayWrites(lines, restarted.address);
    await settled(stage.db);
    history.writes.push(...lines.flat());
    expect(await restarted.stop(), 'an orderly end').to.equal('0');
  } finally {
    await restarted.kill();
  }
  await expectOneOfEach(stage, history);
  const repeats = (await expectDelivered(stage, history)) + (await expectMail(stage, history));
  await expectChains(stage);
  if (repeating.has(point)) expect(repeats, 'repeats of what was in flight').to.be.above(world.repeats);
  world.repeats = repeats;
}

describe('A node that is killed', function () {
  this.timeout(120_000);
  needProducts('email');

  describe('alone', () => {
    let world: World;
    before(async () => {
      world = await openWorld('one node');
    });
    after(() => world.stage.close());
    for (const fault of alone) it(`at ${fault} loses and doubles nothing`, () => survive(world, fault, undefined));
  });

  describe('beside another', () => {
    let world: World;
    let survivor: NodeProcess;
    before(async () => {
      world = await openWorld('two nodes');
      survivor = await world.stage.start();
    });
    after(() => world.stage.close());
    for (const fault of ofTwo) it(`at ${fault} loses and doubles nothing`, () => survive(world, fault, survivor));
  });
});
