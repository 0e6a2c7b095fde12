import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { Readiness } from '#core/messaging/readiness.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, ifUnchangedSince, object, optional } from '#core/kernel/schema/schema.js';
import { automationChanges, automationSubject } from '../../automations/audit.js';
import { keepIds, sameSteps } from '../../automations/steps/diff.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { automationFields, automationId, filterJson, requireEventName } from '../../automations/input.js';
import { parseSteps } from '../../automations/steps/parse.js';
import { readinessFor } from '../../automations/readiness/check.js';
import { Automation, stepsHelp } from '../../automations/resources.js';
import { lockAutomation, presentAutomation, stepsOf } from '../../automations/store.js';
import { markReferences, freeAutomation } from '../../automations/references.js';
import { automations, type AutomationRow } from '../../tables/automation.js';

/** The step tree after an update, with the ids of the steps that it had before. */
function treeAfter(
  before: AutomationRow,
  given: readonly unknown[] | undefined,
): Pick<AutomationRow, 'steps' | 'version' | 'nextStepId'> {
  const { steps, version, nextStepId } = before;
  const parsed = given && parseSteps(given);
  const old = stepsOf(before);
  if (!parsed || sameSteps(old, parsed)) return { steps, version, nextStepId };
  let next = nextStepId;
  const tree = keepIds(old, parsed, () => next++);
  return { steps: JSON.stringify(tree), version: version + 1, nextStepId: next };
}

export default defineOperation({
  name: 'email.automation.update',
  summary: 'Updates an automation.',
  description:
    'Runs in progress keep the steps they started with only until their next step. Fields that are left out stay as they are, except `reenter`, ' +
    'which resets to false. A run stays at its step when an edit moves the step, and completes with endReason steps_changed if the step was removed; ' +
    `pause an active automation before you change the structure of its steps. ${stepsHelp}`,
  keywords: 'edit workflow journey flow',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  input: object(
    {
      automationId,
      name: optional(automationFields.name),
      triggerEvent: optional(automationFields.triggerEvent),
      triggerFilter: optional(automationFields.triggerFilter),
      steps: optional(automationFields.steps),
      ifUnchangedSince,
      reenter: optional(boolean('Whether a contact can be enrolled again after an earlier run. Defaults to false.')),
    },
    { minProperties: 2 },
  ),
  output: object({ automation: Automation, readiness: Readiness }),
  errors: ['automation_archived'],
  events: ['email.automation.updated'],
  example: {
    input: { automationId: exampleAutomation.id, name: 'Welcome, with an offer' },
    output: { automation: { ...exampleAutomation, name: 'Welcome, with an offer' }, readiness: exampleReadiness },
  },

  async handle(
    { automationId: id, ifUnchangedSince: since, name, triggerEvent, triggerFilter, steps, reenter = false },
    context,
  ) {
    const { db, caller, clock, fail, emit, audit } = context;
    const { environment } = caller;
    const before = await lockAutomation(db, caller, id);
    await requireUnchanged(context, since, before, automationSubject(before));
    if (before.status === 'archived') throw fail.automation_archived({ name: before.name });
    if (triggerEvent !== undefined && triggerEvent !== before.triggerEvent)
      await requireEventName(context, triggerEvent);
    const after: AutomationRow = {
      ...before,
      ...treeAfter(before, steps),
      name: name ?? before.name,
      triggerEvent: triggerEvent ?? before.triggerEvent,
      triggerFilter: triggerFilter === undefined ? before.triggerFilter : filterJson(triggerFilter),
      reenter,
      updatedAt: updateTime(before, clock.now()),
    };
    const changes = automationChanges(before, after);
    audit({
      subject: automationSubject(before),
      summary: `Changed the automation “${after.name}”.`,
      changes,
      unchanged: `the automation “${before.name}” already had these values.`,
    });
    const readiness = await readinessFor(context, environment, after);
    if (changes.length === 0) return { automation: presentAutomation(before), readiness };
    await db.defer(automations.updateRow({ id }, after));
    if (after.status === 'active' && after.steps !== before.steps) {
      await freeAutomation(context, id);
      await markReferences(context, environment, after);
    }
    const automation = presentAutomation(after);
    emit('email.automation.updated', { subjectId: id, data: { automation } });
    return { automation, readiness };
  },
});
