import { expect } from 'chai';
import { erasure } from '#core/kernel/ports.js';
import { cancelMessage } from '#core/messaging/cancel.js';
import { loadMessages } from '#core/messaging/load.js';
import { newId } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { createPigeon, type PigeonMessage } from './pigeon.js';

describe('a channel of its own: tables, transport and events', () => {
  needProducts('email');
  const pigeon = createPigeon();
  const platform = usePlatform({ plugins: [pigeon.plugin] });
  beforeEach(() => {
    pigeon.flown.length = 0;
    pigeon.changes.length = 0;
    pigeon.onFlight = () => undefined;
    pigeon.onLoad = () => undefined;
  });

  const attemptsOf = (id: string | undefined): Promise<number> =>
    platform.count(
      'pigeon_attempt',
      `status = 'temporary' AND HEX(message_id) = '${id?.replaceAll('-', '').toUpperCase()}'`,
    );

  const statuses = async (ids: readonly string[]): Promise<string[]> => {
    const { database } = platform.running.services;
    const loaded = await loadMessages<PigeonMessage>(database, pigeon.channel, ids);
    return ids.map((id) => loaded.get(id)?.message.status ?? 'gone');
  };

  it('delivers one content to many recipients, each once, with one event for each', async () => {
    const { live } = await platform.account();
    const addresses = Array.from({ length: 50 }, (_, n) => `loft-${n}`);
    const ids = await pigeon.send(platform, live, 'Hello', addresses);
    await platform.settled();
    expect(pigeon.flown.map(({ address }) => address).sort()).to.deep.equal([...addresses].sort());
    expect(new Set(pigeon.flown.map(({ note }) => note))).to.deep.equal(new Set(['Hello']));
    expect(new Set(await statuses(ids))).to.deep.equal(new Set(['sent']));
    expect(pigeon.changes.map(({ message }) => message.id).sort()).to.deep.equal([...ids].sort());
    expect(await platform.count('pigeon_content')).to.equal(1);
  });

  it('retries temporary failures as the channel says, and records each attempt', async () => {
    const { live } = await platform.account();
    pigeon.onFlight = () => ({ outcome: 'temporary', code: 7, response: 'fog' });
    const [id = ''] = await pigeon.send(platform, live, 'Hello', ['foggy']);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await platform.settled();
      expect(pigeon.flown).to.have.length(attempt);
      platform.clock.advance(minutes(1));
    }
    await platform.settled();
    expect(await statuses([id])).to.deep.equal(['failed']);
    expect(await platform.count('pigeon_attempt', "status = 'temporary' AND code = 7 AND response = 'fog'")).to.equal(
      3,
    );
  });

  it('does not deliver to a recipient who opted out after the message was accepted', async () => {
    const { live, svc } = await platform.account();
    await svc.call('account.close', { reason: 'A pause.' });
    const ids = await pigeon.send(platform, live, 'Hello', ['stays', 'leaves']);
    await platform.settled();
    pigeon.optedOut.add('leaves');
    await svc.call('account.reopen', {});
    await platform.settled();
    expect(pigeon.flown.map(({ address }) => address)).to.deep.equal(['stays']);
    expect(await statuses(ids)).to.deep.equal(['sent', 'suppressed']);
    expect(pigeon.changes.find(({ message }) => message.id === ids[1])?.message.blockedReason).to.equal('opted_out');
  });

  it('retries a message whose delivery throws as the channel says; then it has failed', async () => {
    const { live } = await platform.account();
    pigeon.onFlight = (address) => {
      if (address === 'broken') throw new Error('A defect of the transport.');
      return undefined;
    };
    const ids = await pigeon.send(platform, live, 'Hello', ['broken', 'whole']);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await platform.settled();
      expect(await attemptsOf(ids[0])).to.equal(attempt);
      platform.clock.advance(minutes(1));
    }
    await platform.settled();
    expect(await statuses(ids)).to.deep.equal(['failed', 'sent']);
    expect(await platform.count('pigeon_queue')).to.equal(0);
    expect(platform.logLines.filter((line) => line.includes('A defect of the transport.'))).to.have.length(3);
  });

  it('sends each message once, although one outcome of the batch cannot be written as it is', async () => {
    const { live } = await platform.account();
    // The column holds 16 bits.
    pigeon.onFlight = (address) => (address === 'broken' ? { code: 100_000 } : undefined);
    const ids = await pigeon.send(platform, live, 'Hello', ['one', 'broken', 'two', 'three']);
    await platform.settled();
    expect(await statuses(ids)).to.deep.equal(['sent', 'sent', 'sent', 'sent']);
    platform.clock.advance(minutes(10));
    await platform.settled();
    expect(pigeon.flown.map(({ address }) => address).sort()).to.deep.equal(['broken', 'one', 'three', 'two']);
  });

  it('delivers the other messages of a batch when one of them cannot be loaded', async () => {
    const { live } = await platform.account();
    pigeon.onLoad = (loaded) => {
      if (loaded.includes(ids[2] ?? '')) throw new Error('This message cannot be loaded.');
    };
    const ids: string[] = [];
    await pigeon.send(platform, live, 'Hello', ['one', 'two', 'broken', 'three']).then((sent) => ids.push(...sent));
    await platform.settled();
    expect(await statuses(ids)).to.deep.equal(['sent', 'sent', 'queued', 'sent']);
    pigeon.onLoad = () => undefined;
    platform.clock.advance(minutes(10));
    await platform.settled();
    expect(await statuses(ids)).to.deep.equal(['sent', 'sent', 'sent', 'sent']);
  });

  it('loads the lanes apart: bulk messages that load slowly hold up no transactional one', async () => {
    const { live } = await platform.account();
    const gate = createGate();
    gate.close();
    let slow = true;
    pigeon.onLoad = () => (slow ? gate.pass() : undefined);
    // Two batches are loaded at once; what comes then waits for one of them.
    for (const count of [1, 2]) {
      await pigeon.send(platform, live, 'Hello', [`slow-${count}`]);
      await gate.reached(count);
    }
    for (const count of [3, 4]) {
      await pigeon.send(platform, live, 'Hello', [`slow-${count}`]);
      await eventually(async () => (await platform.count('pigeon_queue', 'leased = 1')) === count, 'it is claimed');
    }
    slow = false;
    await pigeon.send(platform, live, 'Hello', ['quick'], 'transactional');
    await eventually(() => pigeon.flown.length === 1, 'the transactional message is delivered');
    expect(pigeon.flown[0]?.address).to.equal('quick');
    gate.open();
    await platform.settled();
    expect(pigeon.flown).to.have.length(5);
  });

  it('cancels a queued message, and erases a person from it', async () => {
    const { live, svc } = await platform.account();
    await svc.call('account.close', { reason: 'A pause.' });
    const [first = '', second = ''] = await pigeon.send(platform, live, 'Hello', ['+4930123', 'other']);
    const { services } = platform.running;
    const cancelled = await services.transaction('Test', (context) =>
      cancelMessage(
        context,
        pigeon.channel,
        second,
        live,
        context.clock.now(),
        (change) => void pigeon.changes.push(change),
      ),
    );
    expect(cancelled?.status).to.equal('cancelled');
    await services.transaction('Test', ({ use }) =>
      use(erasure).request({ environment: live, personId: newId(), email: null, phone: '+4930123' }),
    );
    await platform.settled();
    expect(await statuses([first, second])).to.deep.equal(['cancelled', 'cancelled']);
    expect(await platform.count('pigeon_recipient', "address = '+4930123'")).to.equal(0);
    expect(await platform.count('pigeon_content', "note = 'Hello'"), 'the other message still has it').to.be.above(0);
    expect(pigeon.changes.map(({ message }) => message.id)).to.deep.equal([second, first]);
  });
});
