import { expect } from 'chai';
import { definePlugin } from '#core/kernel/plugin.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { lab } from './support/lab.js';

/** The environments whose events `lab.some` handles. */
const wanted = new Set<string>();

const product = definePlugin({
  ...lab(),
  consumes: [
    { name: 'lab.every', handle: () => Promise.resolve() },
    {
      name: 'lab.some',
      environments: (_db, ids) => Promise.resolve(new Set(ids.filter((id) => wanted.has(id)))),
      handle: () => Promise.resolve(),
    },
  ],
});

describe('A large transaction', () => {
  // No workers: what is in the log was put there by the transactions themselves.
  const platform = usePlatform({ plugins: [product], settings: () => ({ SVC_ROLE: 'api' }) });

  async function environment({
    counter,
  }: {
    counter: boolean;
  }): Promise<{ emit(count: number): Promise<void>; id: string }> {
    const { live, svc } = await platform.account();
    const { account } = await svc.call('account.get', {});
    const { services } = platform.running;
    await services.database.run('DELETE FROM svc_event WHERE environment_id = ?', [idBytes(live.id)]);
    if (counter)
      await services.database.run('INSERT INTO svc_event_counter (environment_id, position) VALUES (?, 7)', [
        idBytes(live.id),
      ]);
    return {
      id: live.id,
      emit: (count) =>
        services.transaction('Test', ({ emit, actIn }) => {
          actIn(live);
          for (let index = 0; index < count; index += 1)
            emit('account.updated', {
              subjectId: newId(),
              data: { account },
              lane: index % 2 === 0 ? 'bulk' : 'transactional',
            });
          return Promise.resolve();
        }),
    };
  }
  const positions = async (id: string): Promise<(number | null)[]> => {
    const rows = await platform.running.services.database.rows<{ position: number | null }>(
      'SELECT position FROM svc_event WHERE environment_id = ? ORDER BY id',
      [idBytes(id)],
    );
    return rows.map(({ position }) => position);
  };
  const batches = async (id: string): Promise<unknown[]> => {
    const rows = await platform.running.services.database.rows<{ consumer: Buffer; lane: number }>(
      'SELECT consumer, lane, first_position, last_position FROM svc_event_batch WHERE environment_id = ? ORDER BY consumer, lane',
      [idBytes(id)],
    );
    return rows.map(({ consumer, ...row }) => ({ consumer: consumer.toString(), ...row }));
  };

  it('gives its events the next positions of the log, and batches to the consumers that want them', async () => {
    const { id, emit } = await environment({ counter: true });
    await emit(100);
    expect(await positions(id)).to.deep.equal(Array.from({ length: 100 }, (_, index) => 8 + index));
    expect(await platform.count('svc_event', 'pending IS NOT NULL AND position IS NOT NULL')).to.equal(0);
    expect(
      (await batches(id)).map((batch) => JSON.stringify(batch)).filter((text) => text.includes('lab.')),
    ).to.have.length(2);
    wanted.add(id);
    await emit(100);
    expect(await batches(id)).to.deep.include.members([
      { consumer: 'lab.some', lane: 1, first_position: 109, last_position: 207 },
    ]);
  });

  it('leaves them to the sequencer if they are few, or the first of their environment', async () => {
    const [few, first] = [await environment({ counter: true }), await environment({ counter: false })];
    await few.emit(31);
    await first.emit(100);
    for (const { id } of [few, first]) {
      expect(new Set(await positions(id))).to.deep.equal(new Set([null]));
      expect(await batches(id)).to.deep.equal([]);
    }
  });
});
