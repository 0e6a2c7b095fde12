import { orUpdate } from '#core/runtime/database/statement.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import { metering } from '#plugins/billing/ports.js';
import { presentNumber } from '../../numbers/present.js';
import { exampleNumber, PhoneNumber } from '../../numbers/resources.js';
import { usersOf } from '../../numbers/users.js';
import { loadSettings } from '../../settings/load.js';
import { monthOf, rentDue } from '../../numbers/rent.js';
import { numberQueueRef, numbers, type NumberRow } from '../../tables/number.js';

export default defineOperation({
  name: 'sms.number.release',
  summary: 'Releases a phone number; messages to it are no longer received.',
  description:
    'STOP sent to it still opts the sender out. Refused while it is the default number, while messages are waiting to be sent from it, and while a broadcast is scheduled, sending or held and the environment has no other number. A bought number is returned to the provider in the background and may then be assigned to anyone; a number from the deployment’s pool can be assigned again.',
  keywords: 'phone delete cancel return',
  access: 'secret',
  impact: { destructive: true },
  input: object({ numberId: uuid('The number to release.') }),
  output: object({ number: PhoneNumber }),
  errors: ['number_in_use'],
  example: {
    input: { numberId: exampleNumber.id },
    output: { number: { ...exampleNumber, default: false, releasedAt: '2026-11-21T09:00:00.000Z' } },
  },

  async handle({ numberId }, context) {
    const { db, caller, clock, fail, audit, use, wake } = context;
    const { environment } = caller;
    await lockEnvironment(db, environment.id);
    const row = await lockOwned(db, numbers, caller, numberId);
    const { defaultNumberId } = await loadSettings(db, environment.id);
    if (row.status === 'assigning' || row.status === 'failed') throw refusalOf.not_found({ ...numbers.notFound });
    const subject = { type: 'number', id: numberId };
    if (row.status === 'released') {
      audit({ subject, summary: '', changes: [], unchanged: `the number ${row.number} was already released.` });
      return { number: presentNumber(row, defaultNumberId) };
    }
    const { users, nextStep } = await usersOf(context, row, defaultNumberId);
    if (users !== null) throw fail.number_in_use({ number: row.number, users, nextStep });
    const now = clock.now();
    // The job has not come to the month that has begun (numbers/jobs.ts), and skips released numbers.
    const rent = rentDue(row, monthOf(now));
    const isPooled = row.origin === 'pool';
    // A bought number stays held until the provider has it back.
    const changes = {
      status: 'released',
      releasedAt: now,
      heldNumber: isPooled ? null : row.heldNumber,
      joinProblem: null,
      ...(rent ? { rentMeteredUntil: monthOf(now) } : {}),
    } as const;
    const after: NumberRow = { ...row, ...changes };
    await db.update(numbers, { id: numberId }, changes);
    if (rent) await use(metering).record(environment, [rent]);
    if (!isPooled) {
      const work = { id: numberId, partitionId: environment.id, lane: 'transactional', dueAt: now } as const;
      const enqueue = enqueueStatement(numberQueueRef, [work]);
      // The row may already exist: for a number that could not join its registration.
      await db.defer(orUpdate(enqueue, 'due_at = VALUES(due_at), attempts = 0'));
      wake(numberQueueRef.name);
    }
    audit({
      subject,
      summary: `Released the number ${row.number}.`,
      changes: [{ field: 'releasedAt', from: null, to: now.toISOString() }],
    });
    return { number: presentNumber(after, defaultNumberId) };
  },
});
