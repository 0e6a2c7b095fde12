import { Readiness } from '#core/messaging/readiness.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, optional } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { automationSubject, newAutomationFields } from '../../automations/audit.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { automationFields, filterJson, requireEventName } from '../../automations/input.js';
import { parseSteps } from '../../automations/steps/parse.js';
import { readinessFor } from '../../automations/readiness/check.js';
import { Automation, stepsHelp } from '../../automations/resources.js';
import { presentAutomation } from '../../automations/store.js';
import { withNewIds } from '../../automations/steps/tree.js';
import { automations, type AutomationRow } from '../../tables/automation.js';

export default defineOperation({
  name: 'email.automation.create',
  summary: 'Creates a draft automation and checks its step tree.',
  description: `Nothing happens until email.automation.activate; \`readiness\` lists what is missing. ${stepsHelp}`,
  keywords: 'workflow journey flow drip sequence series welcome campaign trigger onboarding lifecycle',
  access: 'secret',
  requires: 'audience',
  followUp: { operation: 'email.automation.get', input: { automationId: 'automation.id' } },
  input: object({ ...automationFields, triggerFilter: optional(automationFields.triggerFilter) }),
  output: object({ automation: Automation, readiness: Readiness }),
  events: ['email.automation.created'],
  example: {
    input: {
      name: exampleAutomation.name,
      triggerEvent: exampleAutomation.triggerEvent,
      steps: exampleAutomation.steps,
    },
    output: { automation: { ...exampleAutomation, status: 'draft' }, readiness: exampleReadiness },
  },

  async handle({ name, triggerEvent, triggerFilter, steps, reenter }, context) {
    const { db, caller, clock, emit, audit } = context;
    await requireEventName(context, triggerEvent);
    const now = clock.now();
    let nextStepId = 1;
    const tree = withNewIds(parseSteps(steps), () => nextStepId++);
    const row: AutomationRow = {
      id: newId(),
      environmentId: caller.environment.id,
      name,
      triggerEvent,
      triggerFilter: filterJson(triggerFilter ?? null),
      steps: JSON.stringify(tree),
      nextStepId,
      version: 1,
      reenter,
      status: 'draft',
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    const readiness = await readinessFor(context, caller.environment, row);
    await db.defer(automations.insertRows([row]));
    const automation = presentAutomation(row);
    audit({
      subject: automationSubject(row),
      summary: `Created the automation “${name}”.`,
      changes: newAutomationFields(row),
    });
    emit('email.automation.created', { subjectId: row.id, data: { automation } });
    return { automation, readiness };
  },
});
