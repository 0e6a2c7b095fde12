import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { list, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { exampleRun } from '../../../automations/examples.js';
import { requireContact } from '../../../automations/runs/find.js';
import { AutomationRunOfContact, runStatus } from '../../../automations/resources.js';
import { pageOfRuns } from '../../../automations/runs/page.js';
import { presentRun } from '../../../automations/runs/status.js';
import { contacts } from '#plugins/audience/ports.js';
import { automations } from '../../../tables/automation.js';
import { automationsOf } from '../../../automations/runs/find.js';

const contact = { email: 'ada@example.com', phone: null, firstName: 'Ada', lastName: 'Lovelace' };

export default defineOperation({
  name: 'email.automation.run.list',
  summary: 'Lists automation runs, newest first: all, or those of one automation or contact.',
  keywords: 'enrolments enrollments journeys people',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    automationId: optional(uuid('Runs of this automation.')),
    contactId: optional(uuid('Runs of this contact.')),
    status: optional(runStatus),
    ...page,
  }),
  output: object({ runs: list(AutomationRunOfContact, 'The runs of this page.'), nextBefore }),
  example: {
    input: { automationId: exampleRun.automationId },
    output: { runs: [{ ...exampleRun, contact }], nextBefore: null },
  },

  async handle({ automationId, contactId, status, before, limit }, context) {
    const { db, caller } = context;
    const { environment } = caller;
    if (automationId !== undefined) await findOwned(db, automations, caller, automationId);
    if (contactId !== undefined) await requireContact(context, environment.id, contactId);
    const filter = { automationId, contactId, status };
    const { rows, next } = await pageOfRuns(db, environment, filter, { before, limit });
    const isClosed = environment.closedAt !== null;
    const [found, people] = await Promise.all([
      automationsOf(db, rows),
      context.use(contacts).facts(environment.id, [...new Set(rows.map((row) => row.contactId))]),
    ]);
    return {
      runs: rows.flatMap((row) => {
        const automation = found.get(row.automationId);
        if (!automation) return [];
        const person = people.get(row.contactId);
        const { email = null, phone = null, firstName = null, lastName = null } = person ?? {};
        return [
          {
            ...presentRun(row, { automation, isClosed }),
            contact: person ? { email, phone, firstName, lastName } : null,
          },
        ];
      }),
      nextBefore: next,
    };
  },
});
