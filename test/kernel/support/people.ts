import { definePlugin, type Plugin } from '#core/kernel/plugin.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { definePort } from '#core/kernel/port.js';
import { erasure } from '#core/kernel/ports.js';
import { provide } from '#core/kernel/provision.js';
import { object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { emitAnything } from '#test/support/emit.js';
import { createGate } from '#test/support/gate.js';
import type { TestPlatform } from '#test/support/platform.js';

/** Holds lab.person.mention in its transaction, and lab.person.call in what it does after. */
export const gate = createGate();

/** What the product's own eraser does beside its work. */
export const eraser = { failing: false, stillInUse: false };

const news = definePort<{ of(personId: string, email: string): void }>('lab.news');
const facts = { personId: uuid(), email: text() };
const example = { personId: '01890a5d-ac96-774b-bcce-b302099a8100', email: 'ada@example.com' };
const shared = { access: 'secret', input: object(facts), output: object({ email: text() }) } as const;
const examples = { example: { input: example, output: { email: example.email } } };

const noteOf = (email: string, personId: string) => ({
  summary: `Wrote down ${email}.`,
  changes: [{ field: 'email', from: null, to: email }],
  personId,
});

const add = defineOperation({
  name: 'lab.person.add',
  summary: 'Write a person down, and tell of it.',
  ...shared,
  ...examples,
  async handle({ personId, email }, { db, use, audit }) {
    audit(noteOf(email, personId));
    use(news).of(personId, email);
    for (let note = 0; note < 5; note += 1)
      await db.run('INSERT INTO lab_note (person_id, words) VALUES (?, ?)', [idBytes(personId), `${email} ${note}`]);
    return { email };
  },
});

const mention = defineOperation({
  name: 'lab.person.mention',
  summary: 'Tell of a person, and say nothing of it in the audit record.',
  showsSecret: 'stored encrypted',
  ...shared,
  ...examples,
  async handle({ personId, email }, { use }) {
    use(news).of(personId, email);
    await gate.pass();
    return { email };
  },
});

const call = defineOperation({
  name: 'lab.person.call',
  summary: 'Write, commit, then call out.',
  ...shared,
  ...examples,
  async handle({ personId, email }, { audit }) {
    audit(noteOf(email, personId));
    return { email };
  },
  async finish(reply) {
    await gate.pass();
    return { email: `called ${reply.email}` };
  },
});

const arrive = defineOperation({
  name: 'lab.person.arrive',
  summary: 'Come without a key.',
  access: 'public',
  input: object({ ...facts, environmentId: uuid() }),
  output: object({ email: text() }),
  example: { input: { ...example, environmentId: example.personId }, output: { email: example.email } },
  async handle({ personId, email, environmentId }, { db, actIn, audit }) {
    const environment = await findEnvironment(db, environmentId);
    if (environment) actIn(environment);
    audit(noteOf(email, personId));
    return { email };
  },
});

/** A visit of somebody whose address alone is known: its audit record belongs to nobody. */
const pass = defineOperation({
  name: 'lab.person.pass',
  summary: 'Pass by without a key.',
  access: 'public',
  input: object({ ...facts, environmentId: uuid() }),
  output: object({ email: text() }),
  example: { input: { ...example, environmentId: example.personId }, output: { email: example.email } },
  async handle({ personId: visitId, email, environmentId }, { db, actIn, audit }) {
    const environment = await findEnvironment(db, environmentId);
    if (environment) actIn(environment);
    audit({
      subject: { type: 'visit', id: visitId },
      summary: 'Somebody passed by.',
      changes: [{ field: 'seen', from: false, to: true }],
    });
    return { email };
  },
});

const forget = defineOperation({
  name: 'lab.person.forget',
  summary: 'Delete a person.',
  ...shared,
  input: object({ ...facts, fail: optional(text()) }),
  ...examples,
  async handle({ personId, email, fail }, { caller, use, audit }) {
    await use(erasure).request({ environment: caller.environment, personId, email, phone: null });
    if (fail !== undefined) throw new Error(fail);
    audit(noteOf(email, personId));
    use(news).of(personId, email);
    return { email };
  },
});

/** A product that knows people: it tells of them, keeps notes of them and forgets them, two notes at a time. */
export const peopleProduct: Plugin = definePlugin({
  name: 'lab',
  summary: 'Knows people.',
  tables: [],
  operations: [add, mention, call, arrive, pass, forget],
  events: { 'lab.person.told': { summary: 'Told.', subject: 'person', data: object({ email: text() }) } },
  errors: {},
  provides: [
    provide(news, (context) => ({
      of: (personId, email) =>
        void emitAnything(context, 'lab.person.told', { subjectId: personId, personId, data: { email } }),
    })),
  ],
  eraser: () => ({
    async step({ personId }, { db, redactAbout }) {
      if (eraser.failing) throw new Error('the notes are away');
      await redactAbout({ type: 'visit', ids: [personId] });
      const { affectedRows } = await db.run('DELETE FROM lab_note WHERE person_id = ? LIMIT 2', [idBytes(personId)]);
      return { done: affectedRows, stillInUse: eraser.stillInUse };
    },
  }),
});

export const createNotes = (platform: TestPlatform): Promise<unknown> =>
  platform.running.services.database.run(
    'CREATE TABLE lab_note (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, person_id BINARY(16) NOT NULL, words TEXT NOT NULL)',
  );
