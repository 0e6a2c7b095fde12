import { expect } from 'chai';
import { enqueueDeliveries, plannedDelivery } from '#plugins/developers/deliveries/enqueue.js';
import { deliveries } from '#plugins/developers/tables/delivery.js';
import { newId } from '#core/runtime/id.js';
import { apiAt } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import type { WebhookReceiver } from '#test/support/webhook-receiver.js';
import { answering, deliveriesOf, endpointAt, quiet, rename, useReceivers } from './support.js';

describe('An endpoint that hangs', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();
  const held: (() => void)[] = [];
  const hanging: WebhookReceiver['answer'] = (_, response) => void held.push(() => response.writeHead(500).end());
  afterEach(() => held.splice(0).forEach((end) => end()));

  it('delays neither the other endpoints of its environment nor other environments', async () => {
    const [slow, quick, elsewhere] = [await receiverOf(), await receiverOf(), await receiverOf()];
    slow.answer = hanging;
    const [{ svcTest }, stranger] = [await platform.account(), await platform.account()];
    const { endpointId } = await endpointAt(svcTest, slow);
    await endpointAt(svcTest, quick);
    await endpointAt(stranger.svcTest, elsewhere);
    // More events than the slots of one endpoint.
    for (let index = 0; index < 40; index++) await rename(svcTest, `Renamed ${index}`);
    await quick.waitFor(40);
    await rename(stranger.svcTest, 'Elsewhere');
    await elsewhere.waitFor(1);
    expect(slow.received.length).to.be.within(1, 16);
    expect(await deliveriesOf(svcTest, endpointId, 'delivered')).to.deep.equal([]);
    expect(await deliveriesOf(svcTest, endpointId, 'failed')).to.deep.equal([]);
    slow.answer = answering(204);
    held.splice(0).forEach((end) => end());
    await quiet(platform);
    const ended = await deliveriesOf(svcTest, endpointId, 'delivered');
    expect(ended.length + (await deliveriesOf(svcTest, endpointId, 'failed')).length).to.equal(40);
  });

  it('delays no endpoint of another environment at the same server', async () => {
    const receiver = await receiverOf();
    const [{ svcTest }, stranger] = [await platform.account(), await platform.account()];
    receiver.answer = ({ path }, response) =>
      path.startsWith('/hangs') ? void held.push(() => response.end()) : void response.end();
    const base = receiver.url.replace(/\/$/, '');
    await endpointAt(svcTest, { url: `${base}/hangs` });
    await endpointAt(stranger.svcTest, { url: `${base}/works` });
    for (let index = 0; index < 20; index++) await rename(svcTest, `Renamed ${index}`);
    await eventually(() => held.length === 16, 'the maximum of concurrent attempts per endpoint');
    await rename(stranger.svcTest, 'Elsewhere');
    await receiver.waitFor(17);
    receiver.answer = answering(204);
    held.splice(0).forEach((end) => end());
    await quiet(platform);
  });

  it('leaves slots to other environments, however many hanging endpoints its environment has', async () => {
    const [slow, elsewhere] = [await receiverOf(), await receiverOf()];
    slow.answer = hanging;
    const [{ svcTest }, stranger] = [await platform.account(), await platform.account()];
    for (let index = 0; index < 18; index++) await endpointAt(svcTest, slow);
    await endpointAt(stranger.svcTest, elsewhere);
    // 288 deliveries: more than the slots of a process.
    for (let index = 0; index < 16; index++) await rename(svcTest, `Renamed ${index}`);
    await eventually(() => held.length >= 64, 'the maximum of concurrent attempts per environment');
    await rename(stranger.svcTest, 'Elsewhere');
    await elsewhere.waitFor(1);
    expect(slow.received).to.have.length(64);
    slow.answer = answering(204);
    held.splice(0).forEach((end) => end());
    await quiet(platform);
  });

  it('leaves slots to other environments, even where the endpoints of four environments hang', async () => {
    const [slow, elsewhere] = [await receiverOf(), await receiverOf()];
    slow.answer = hanging;
    const stranger = await platform.account();
    await endpointAt(stranger.svcTest, elsewhere);
    const accounts = await Promise.all(Array.from({ length: 4 }, () => platform.account()));
    for (const { svcTest } of accounts) for (let index = 0; index < 18; index++) await endpointAt(svcTest, slow);
    // 90 deliveries in each environment: together more than the slots of a process.
    for (const { svcTest } of accounts)
      for (let index = 0; index < 5; index++) await rename(svcTest, `Renamed ${index}`);
    await eventually(() => held.length >= 192, 'the slots that are not reserved');
    const timeouts = (): Promise<number> => platform.count('developers_delivery', "error LIKE 'timeout%'");
    const before = await timeouts();
    await rename(stranger.svcTest, 'Elsewhere');
    await elsewhere.waitFor(1);
    expect(await timeouts(), 'it did not wait for an attempt to end').to.equal(before);
    slow.answer = answering(204);
    held.splice(0).forEach((end) => end());
    await quiet(platform);
  });

  it('leaves slots to other accounts, in however many environments of its account such endpoints are', async () => {
    const [slow, elsewhere] = [await receiverOf(), await receiverOf()];
    const [{ svc }, stranger] = [await platform.account(), await platform.account()];
    await endpointAt(stranger.svcTest, elsewhere);
    const projects = Array.from({ length: 70 }, async (_, index): Promise<void> => {
      const { keys } = await svc.call('account.project.create', { name: `Project ${index}` });
      const api = apiAt(
        () => platform.running.address,
        () => keys.test.secret,
      );
      await endpointAt(api, slow);
      await rename(api, 'First');
    });
    await Promise.all(projects);
    await slow.waitFor(70);
    await quiet(platform);
    slow.answer = hanging;
    // Five more in each of the 70: by environment they would take all slots, the reserved ones too.
    const { database } = platform.running.services;
    const scheduledAt = platform.clock.now();
    const repeated = (await database.find(deliveries, {})).filter(({ url }) => url?.startsWith(slow.url) === true);
    await database.transaction((db) =>
      enqueueDeliveries(
        db,
        Array.from({ length: 5 }, () =>
          repeated.map((row) => plannedDelivery({ ...row, id: newId(), attempt: 1, scheduledAt })),
        ).flat(),
      ),
    );
    await eventually(() => held.length >= 64, 'the maximum of concurrent attempts of its test environments');
    const timeouts = (): Promise<number> => platform.count('developers_delivery', "error LIKE 'timeout%'");
    const before = await timeouts();
    for (let event = 0; event < 3; event++) await rename(stranger.svcTest, `Elsewhere ${event}`);
    await elsewhere.waitFor(3);
    expect(await timeouts(), 'they did not wait for an attempt to end').to.equal(before);
    expect(slow.received, 'all test environments of an account have one share').to.have.length(70 + 64);
    slow.answer = answering(204);
    held.splice(0).forEach((end) => end());
    await quiet(platform);
  }).timeout(120_000);

  it('receives one attempt at a time once it has failed', async () => {
    const slow = await receiverOf();
    const { svcTest } = await platform.account();
    slow.answer = answering(500);
    await endpointAt(svcTest, slow);
    await rename(svcTest, 'Fails');
    await slow.waitFor(1);
    await quiet(platform);
    slow.answer = hanging;
    const other = await receiverOf();
    await endpointAt(svcTest, other);
    for (let index = 0; index < 10; index++) await rename(svcTest, `Renamed ${index}`);
    await other.waitFor(10);
    expect(slow.received).to.have.length(2);
    slow.answer = answering(204);
    held.splice(0).forEach((end) => end());
    await slow.waitFor(11);
    await quiet(platform);
  });
});
