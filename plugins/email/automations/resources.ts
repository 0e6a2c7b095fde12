import {
  anything,
  boolean,
  count,
  dateTime,
  either,
  map,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  list,
  number,
} from '#core/kernel/schema/schema.js';
import { BlockedStep } from '#core/messaging/blocked.js';
import { Readiness } from '#core/messaging/readiness.js';
import { automationStatuses, outcomes } from '../tables/automation.js';
import { conditionOps } from './conditions/condition.js';

const conditionHelp =
  'field is properties.<key> of the contact, context.<key> of the event, or consent.<topic>, consent.email.<topic>, consent.sms.<topic> (true or false).';

export const Condition = named(
  'Condition',
  object(
    {
      field: text(conditionHelp, { minLength: 1, maxLength: 200 }),
      op: oneOf(conditionOps, 'neq also matches where there is no value; exists asks whether there is one.'),
      value: optional(
        either(text('A text.', { maxLength: 500 }), either(number(), boolean()), 'Left out for exists and not_exists.'),
      ),
    },
    { description: 'A condition on a contact and the event that it is enrolled by.' },
  ),
);

/** The rules of steps, for the operations that take them. */
export const stepsHelp =
  'A step is one of: {type: "wait", seconds: 1 to 7776000}; ' +
  '{type: "send", channel: "email" (default) or "sms", template, topic, from (email, required there), subject (email), variables}; ' +
  '{type: "property.set", key, value: text, number, boolean or null}; ' +
  '{type: "branch", if: {field, op, value}, then: [steps], else: [steps]}. ' +
  `At most 50 steps at the top and in each arm, and 8 branches inside of each other. In a branch, ${conditionHelp} ` +
  'op is one of eq, neq, exists, not_exists, gt, lt, contains.';

export const AutomationStep = named(
  'AutomationStep',
  map(
    anything(),
    'A step by its type: {type: "wait", seconds}, {type: "send", channel, template, topic, from, subject, variables}, {type: "property.set", key, value} or {type: "branch", if, then, else}.',
  ),
);

export const automationStatus = oneOf(
  automationStatuses,
  'draft: enrols nobody yet; active: enrols contacts; paused: enrols nobody, its runs are held; archived: ended for good.',
);

const automationFields = {
  id: uuid('The automation’s id.'),
  name: text('The name, for your own team.'),
  triggerEvent: text('The event that enrols contacts.'),
  triggerFilter: nullable(Condition),
  steps: list(AutomationStep, 'The steps, taken one after the other.'),
  reenter: boolean('Whether a contact may be enrolled again after an earlier run.'),
  status: automationStatus,
  createdAt: dateTime('When it was created.'),
  updatedAt: dateTime('When it last changed.'),
} as const;

export const Automation = named(
  'Automation',
  object(automationFields, { description: 'Steps that each contact goes through after an event.' }),
);

/** The form in lists. */
export const AutomationWithReadiness = object(
  { ...automationFields, readiness: Readiness },
  { columns: ['id', 'name', 'status', 'readiness.ok', 'triggerEvent', 'reenter', 'updatedAt', 'createdAt'] },
);

export const runStatuses = ['waiting', 'held', 'completed', 'cancelled', 'failed'] as const;

export const runStatus = oneOf(
  runStatuses,
  'waiting: takes its next step at nextAt; held: waits until the automation is active and the account is open again; completed: took its last step; cancelled: stopped; failed: a step could not be taken, endReason says why.',
);

export const AutomationRun = named(
  'AutomationRun',
  object(
    {
      id: uuid('The run’s id.'),
      automationId: uuid('The automation.'),
      contactId: uuid('The contact that goes through it.'),
      status: runStatus,
      position: text('The step where it stands, such as steps[1].then[0].'),
      context: map(anything(), 'The event that started it: properties of a recorded event, data of an event of svc.'),
      nextAt: nullable(dateTime('When it goes on; null once it has ended.')),
      startedAt: dateTime('When the contact was enrolled.'),
      endedAt: nullable(dateTime('When it ended.')),
      endReason: nullable(
        text(
          'Why it ended early: steps_changed, cancelled, automation_archived, contact_erased, missing_variables, template_not_published, template_invalid, sender_not_verified, legal_address_missing, sms_too_long, too_many_properties, step_error.',
        ),
      ),
    },
    {
      description: 'One contact’s way through an automation.',
      columns: ['id', 'status', 'position', 'nextAt', 'endReason', 'startedAt', 'endedAt', 'contactId', 'automationId'],
    },
  ),
);

export const RunStep = object(
  {
    step: text('The step’s place when it was taken, such as steps[1].then[0].'),
    type: text('wait, send, property.set or branch.'),
    at: dateTime('When it was taken.'),
    outcome: oneOf(
      outcomes,
      'sent: a message was accepted; suppressed: it was not, reason says why; failed: the run ended here; waited: the time is over; set, unchanged: the property; then, else: the arm that was taken.',
    ),
    reason: nullable(text('Why a message was suppressed, or a step failed.')),
    blocked: nullable(BlockedStep),
    detail: nullable(text('What a step that failed lacked: the names of the variables, or the place in the template.')),
    messageId: nullable(uuid('The accepted message, by the id that `message.get` of the step’s channel takes.')),
  },
  { columns: ['step', 'type', 'outcome', 'reason', 'detail', 'at', 'messageId'] },
);

/** The number of runs in each status. */
export const RunCounts = object(
  {
    waiting: count('Runs that wait for their next step.'),
    held: count('Runs that are held.'),
    completed: count('Runs that took their last step.'),
    cancelled: count('Runs that were stopped.'),
    failed: count('Runs that could not take a step.'),
    byStep: map(
      count(),
      'Runs that are waiting or held, by the step where they stand; removed: at steps that are no longer there.',
    ),
  },
  { description: 'How many runs there are, and where they stand.' },
);
