import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Api, RawAnswer } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { searchDatabase } from '#test/support/search-database.js';
import { codeOf, newKey, partOf } from './support/lab.js';
import { createNotes, eraser, gate, peopleProduct } from './support/people.js';

interface Person {
  personId: string;
  /** Nothing else in the database holds these letters. */
  name: string;
  email: string;
}

function somebody(): Person {
  const name = `ada${randomBytes(6).toString('hex')}`;
  return { personId: newId(), name, email: `${name}@example.com` };
}

describe('Erasing a person', () => {
  const platform = usePlatform({ plugins: [peopleProduct] });
  const second: { node?: TestNode } = {};
  before(async () => {
    await createNotes(platform);
    second.node = await platform.secondNode();
  });
  beforeEach(() => Object.assign(eraser, { failing: false, stillInUse: false }));
  afterEach(() => gate.open());

  const post = (
    api: Api,
    verb: string,
    { personId, email }: Person,
    idempotencyKey = newKey(),
    more: Record<string, string> = {},
  ): Promise<RawAnswer> =>
    api.raw(`/lab/person/${verb}`, JSON.stringify({ personId, email, ...more }), { idempotencyKey });
  const found = ({ name }: Person): Promise<string[]> => searchDatabase(platform.running.services.database, name);
  /** Both nodes' workers: either may have what is due. */
  const settled = async (): Promise<void> => {
    await platform.settled();
    for (const worker of second.node?.running.workers ?? []) await worker.idle();
  };
  /** The look that an erasure takes a minute after it was asked for. */
  const aMinuteLater = async (): Promise<void> => {
    platform.clock.advance(minutes(1));
    await settled();
  };
  const requests = async ({ personId }: Person): Promise<number> =>
    platform.count('svc_erasure', `person_id = 0x${idBytes(personId).toString('hex')}`);
  const activityOf = ({ text }: RawAnswer): unknown => /"activityId":"([0-9a-f-]{36})"/.exec(text)?.[1];

  it('removes the address from the whole database, including the erasing call and the request itself', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    await post(svc, 'add', ada);
    await post(svc, 'mention', ada);
    await post(platform.api, 'arrive', ada, newKey(), { environmentId: live.id });
    expect(await found(ada), 'the search finds the data').to.deep.equal([
      'lab_note.words',
      'svc_activity.summary',
      'svc_activity.changes',
      'svc_event.data',
      'svc_idempotency.answer',
    ]);
    await post(svc, 'forget', ada);
    await settled();
    expect(await found(ada)).to.deep.equal([]);
    await aMinuteLater();
    expect([await found(ada), await requests(ada)]).to.deep.equal([[], 0]);
    expect(await platform.count('svc_erasure_queue')).to.equal(0);
  });

  it('keeps redacted events, and audit records with their actor', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const added = activityOf(await post(svc, 'add', ada));
    const arrived = activityOf(await post(platform.api, 'arrive', ada, newKey(), { environmentId: live.id }));
    await post(svc, 'forget', ada);
    await settled();
    const { events } = await svc.call('developers.event.list', { subjectId: ada.personId });
    expect(events.map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: 'lab.person.told', data: { erased: true } },
      { type: 'lab.person.told', data: { erased: true } },
    ]);
    const { activity } = await svc.call('account.activity.get', { activityId: String(added) });
    expect(activity).to.deep.include({ operation: 'lab.person.add', changes: [], ip: '127.0.0.1' });
    expect(activity.summary).to.match(/^Erased: /);
    expect(activity.actor.label).to.equal('First key');
    const visit = (await svc.call('account.activity.get', { activityId: String(arrived) })).activity;
    expect(visit, 'a public caller’s address is the person’s own').to.include({ ip: '', userAgent: null });
  });

  it('removes where a public call came from whose audit record is of a thing of theirs, known by their address alone', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const passed = activityOf(await post(platform.api, 'pass', ada, newKey(), { environmentId: live.id }));
    const seen = async () => (await svc.call('account.activity.get', { activityId: String(passed) })).activity;
    expect((await seen()).ip).to.equal('127.0.0.1');
    await post(svc, 'forget', ada);
    await settled();
    expect(await seen()).to.include({ ip: '', userAgent: null, summary: 'Somebody passed by.' });
  });

  const written = (): Promise<number[]> =>
    Promise.all(['svc_activity', 'svc_event', 'svc_erasure', 'lab_note'].map((table) => platform.count(table)));

  it('refuses a repeat of a key whose answer was erased, saying so, and runs nothing', async () => {
    const { svc } = await platform.account();
    const ada = somebody();
    for (const verb of ['add', 'mention', 'forget']) {
      const key = newKey();
      await post(svc, verb, ada, key);
      if (verb !== 'forget') await post(svc, 'forget', ada);
      await settled();
      const before = await written();
      const repeat = await post(svc, verb, ada, key);
      expect([repeat.status, codeOf(repeat)]).to.deep.equal([404, 'not_found']);
      expect(partOf(repeat.text, 'error')['message']).to.contain('was erased together with the person');
      expect(await written()).to.deep.equal(before);
    }
  });

  it('leaves other people, and the same person in another environment, as they are', async () => {
    const { svc, svcTest, live } = await platform.account();
    const [ada, bob] = [somebody(), somebody()];
    const keys = { bob: newKey(), twin: newKey() };
    const told = await post(svc, 'mention', bob, keys.bob);
    const twin = await post(svcTest, 'mention', ada, keys.twin);
    await post(svc, 'forget', ada);
    await settled();
    expect((await post(svc, 'mention', bob, keys.bob)).text).to.equal(told.text);
    expect((await post(svcTest, 'mention', ada, keys.twin)).text).to.equal(twin.text);
    expect(await found(bob)).to.deep.equal(['svc_event.data']);
    expect(await platform.count('svc_event', `data LIKE '%${ada.name}%'`), 'in the twin').to.equal(1);
    const here = `data LIKE '%${ada.name}%' AND environment_id = 0x${idBytes(live.id).toString('hex')}`;
    expect(await platform.count('svc_event', here)).to.equal(0);
  });

  it('starts when its call commits: a call that fails erases nothing', async () => {
    const { svc } = await platform.account();
    const ada = somebody();
    await post(svc, 'mention', ada);
    expect((await post(svc, 'forget', ada, newKey(), { fail: 'no' })).status).to.equal(500);
    await settled();
    expect([await found(ada), await requests(ada)]).to.deep.equal([['svc_event.data'], 0]);
  });

  it('erases what was being written while it ran, in a second pass', async () => {
    const { svc } = await platform.account();
    const ada = somebody();
    gate.close();
    const open = post(svc, 'mention', ada);
    await gate.reached(1);
    await post(svc, 'forget', ada);
    await settled();
    gate.open();
    await open;
    expect(await found(ada)).to.include('svc_event.data');
    await aMinuteLater();
    expect([await found(ada), await requests(ada)]).to.deep.equal([[], 0]);
  });

  it('is not undone by the finish of a call that started before', async () => {
    const { svc } = await platform.account();
    const ada = somebody();
    const key = newKey();
    gate.close();
    const open = post(svc, 'call', ada, key);
    await gate.reached(1);
    await post(svc, 'forget', ada);
    await settled();
    gate.open();
    const answer = await open;
    expect(partOf(answer.text, 'result')['email']).to.equal(`called ${ada.email}`);
    expect(codeOf(await post(svc, 'call', ada, key))).to.equal('not_found');
    expect(await found(ada)).to.deep.equal([]);
  });

  it('retries every minute while a worker still processes the person’s data, and keeps the address sealed', async () => {
    const { svc } = await platform.account();
    const ada = somebody();
    eraser.stillInUse = true;
    await post(svc, 'forget', ada);
    for (let round = 0; round < 3; round += 1) await aMinuteLater();
    expect([await found(ada), await requests(ada)]).to.deep.equal([[], 1]);
    eraser.stillInUse = false;
    await aMinuteLater();
    expect(await requests(ada)).to.equal(0);
  });

  it('continues when a product’s eraser fails, and retries that one', async () => {
    const { svc } = await platform.account();
    const ada = somebody();
    await post(svc, 'add', ada);
    eraser.failing = true;
    await post(svc, 'forget', ada);
    await settled();
    expect(await found(ada)).to.deep.equal(['lab_note.words']);
    eraser.failing = false;
    await aMinuteLater();
    expect([await found(ada), await requests(ada)]).to.deep.equal([[], 0]);
  });

  it('of twenty people at once, on two nodes, completes for each', async () => {
    const { svc, keys } = await platform.account();
    const other = second.node?.as(keys.live.secret) ?? svc;
    const people = Array.from({ length: 20 }, somebody);
    await Promise.all(people.map((each, index) => post(index % 2 === 0 ? svc : other, 'add', each)));
    await Promise.all(people.map((each, index) => post(index % 2 === 0 ? other : svc, 'forget', each)));
    await settled();
    await aMinuteLater();
    for (const each of people) expect([await found(each), await requests(each)]).to.deep.equal([[], 0]);
  });

  it('takes as many steps as a person with a thousand events needs', async () => {
    const { svc } = await platform.account();
    const ada = somebody();
    await post(svc, 'mention', ada);
    for (let doublings = 0; doublings < 10; doublings += 1) {
      await platform.running.services.database.run(
        `INSERT INTO svc_event (id, environment_id, type, activity_id, subject_type, subject_id, person_id, data, created_at)
         SELECT RANDOM_BYTES(16), environment_id, type, activity_id, subject_type, subject_id, person_id, data, created_at
         FROM svc_event WHERE person_id = ?`,
        [idBytes(ada.personId)],
      );
    }
    await post(svc, 'forget', ada);
    await settled();
    expect(await found(ada)).to.deep.equal([]);
  });
});
