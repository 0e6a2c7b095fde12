import type { Environment } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import {
  anything,
  boolean,
  dateTime,
  list,
  map,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { presentBlockedStep } from '#core/messaging/blocked.js';
import { BlockedStep } from '#core/messaging/blocked.js';
import { newId } from '#core/runtime/id.js';
import { contacts } from '#plugins/audience/ports.js';
import { outcomes, type AutomationRow, type RunRow } from '../../tables/automation.js';
import { evaluate } from '../conditions/evaluate.js';
import { readForConditions, scopeOf } from '../conditions/filter.js';
import type { LoadedRun } from '../runner/load.js';
import { planSteps } from '../runner/plan.js';
import type { Action, PlanContext } from '../runner/step.js';
import { filterOf, stepIndexOf, stepsOf } from '../store.js';
import { withContact, withProperty } from './contact-after.js';

/** Steps that a trial takes: each renders and reads like a step of a run. */
const mostSteps = 60;
/** Characters of content in one reply. Longer mails of a trial have only their subject. */
const mostContent = 1_000_000;

export const tryWith = optional(
  object(
    {
      contactId: uuid('The contact to try it with.'),
      context: optional(map(anything(), 'The properties of the event that would start the run; {} by default.')),
    },
    { description: 'Try the automation with a contact: nothing is sent or changed.' },
  ),
);

export const Trial = object(
  {
    enrolled: boolean('Whether the contact meets triggerFilter. The steps are listed in any case.'),
    steps: list(
      object({
        step: text('The step’s position, such as steps[1].then[0].'),
        type: text('wait, send, property.set or branch.'),
        at: dateTime('When it would be taken, if the run started now.'),
        outcome: oneOf(outcomes, 'As in the history of a run. failed: the run would end here.'),
        reason: nullable(text('Why a message would be suppressed, or the step fail.')),
        blocked: nullable(BlockedStep),
        detail: nullable(text('What the failed step lacks.')),
        message: nullable(
          object(
            {
              to: text('The address or number.'),
              subject: nullable(text('The subject; null for a text.')),
              html: nullable(text('The HTML; null if there is none, and if the reply would be too large.')),
              text: nullable(text('The plain text; null if there is none, and if the reply would be too large.')),
            },
            { description: 'The message that would be sent now.' },
          ),
        ),
      }),
      `The steps that the contact would take now, in order: at most ${mostSteps}.`,
    ),
  },
  { description: 'What the automation would do with a contact.' },
);
type TrialValue = ValueOf<typeof Trial>;
type TrialStep = TrialValue['steps'][number];

/**
 * Plans a run of a contact from the first step to the last, with the plans of real runs (runner/plan.ts). Waits end at
 * once, and properties that steps set are known to later steps. It writes nothing.
 * @param automation it may have steps that are not saved
 * @throws not_found if the environment does not have the contact
 */
export async function tryAutomation(
  context: PlanContext,
  environment: Environment,
  automation: AutomationRow,
  { contactId, context: event = {} }: { contactId: string; context?: Readonly<Record<string, unknown>> },
): Promise<TrialValue> {
  const contact = (await context.use(contacts).facts(environment.id, [contactId])).get(contactId);
  if (!contact) throw refusalOf.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
  const filter = filterOf(automation);
  const known = filter && (await readForConditions(context, environment.id, [filter], [contactId]));
  const enrolled = !filter || !known || evaluate(filter, scopeOf(known, contactId, event));

  const steps: TrialStep[] = [];
  const index = stepIndexOf(automation);
  const now = context.clock.now().getTime();
  let { properties } = contact;
  let run = newRun(automation, contactId, event);
  let waited = 0;
  let content = 0;
  while (steps.length < mostSteps) {
    const loaded: LoadedRun = { run, automation, environment };
    const [plan] = await planSteps(withContact(context, contactId, properties), [loaded]);
    const place = index.get(run.stepId);
    if (!plan?.at || !place) break;
    const { action } = plan;
    if (action.kind === 'enter') {
      waited += place.step.type === 'wait' ? place.step.seconds * 1_000 : 0;
      run = { ...run, entered: true };
      continue;
    }
    const message = messageOf(action);
    const size = (message?.html?.length ?? 0) + (message?.text?.length ?? 0);
    const fits = content + size <= mostContent;
    if (fits) content += size;
    steps.push({
      step: plan.at.path,
      type: plan.at.type,
      at: new Date(now + waited).toISOString(),
      ...outcomeOf(action, properties),
      message: message && !fits ? { ...message, html: null, text: null } : message,
    });
    if (action.kind === 'set') properties = withProperty(properties, action.property);
    if (!('to' in action) || action.to === null) break;
    run = { ...run, stepId: action.to, entered: false };
  }
  return { enrolled, steps };
}

const newRun = (automation: AutomationRow, contactId: string, event: Readonly<Record<string, unknown>>): RunRow => ({
  id: newId(),
  environmentId: automation.environmentId,
  automationId: automation.id,
  contactId,
  personId: null,
  status: 'waiting',
  stepId: stepsOf(automation)[0]?.id ?? 0,
  entered: false,
  position: '',
  context: JSON.stringify(event),
  stepsTaken: 0,
  activityId: null,
  nextAt: null,
  startedAt: automation.createdAt,
  endedAt: null,
  endReason: null,
});

function messageOf(action: Action): TrialStep['message'] {
  if (action.kind === 'mail') {
    const { to, content } = action.mail;
    return { to: to[0] ?? '', subject: content.subject, html: content.html ?? null, text: content.text ?? null };
  }
  if (action.kind === 'text') return { to: action.text.to, subject: null, html: null, text: action.text.body };
  return null;
}

function outcomeOf(
  action: Action,
  properties: Readonly<Record<string, unknown>>,
): Pick<TrialStep, 'outcome' | 'reason' | 'blocked' | 'detail'> {
  const nothing = { reason: null, blocked: null, detail: null };
  switch (action.kind) {
    case 'move':
      return { ...nothing, outcome: action.outcome };
    case 'set': {
      const { key, value } = action.property;
      return { ...nothing, outcome: (properties[key] ?? null) === value ? 'unchanged' : 'set' };
    }
    case 'mail':
    case 'text':
      return { ...nothing, outcome: 'sent' };
    case 'suppress':
      return { ...nothing, outcome: 'suppressed', reason: action.reason, blocked: presentBlockedStep(action.by) };
    case 'fail':
      return { ...nothing, outcome: 'failed', reason: action.reason, detail: action.detail ?? null };
    default:
      return { ...nothing, outcome: 'failed', reason: action.kind };
  }
}
