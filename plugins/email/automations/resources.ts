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
      op: oneOf(conditionOps, 'neq also matches if there is no value; exists matches if there is one.'),
      value: optional(
        either(
          text('A text.', { maxLength: 500 }),
          either(number(), boolean()),
          'Must be left out with exists and not_exists.',
        ),
      ),
    },
    { description: 'A condition on a contact and on the event that enrolled it.' },
  ),
);

/** The rules of steps, for the operations that take them. */
export const stepsHelp =
  'A step is one of: {type: "wait", seconds: 1 to 7776000}; ' +
  '{type: "send", channel: "email" (default) or "sms", template, topic, from (required for email), subject (email only), variables}; ' +
  '{type: "property.set", key, value: string, number, boolean or null}; ' +
  '{type: "branch", if: {field, op, value}, then: [steps], else: [steps]}. ' +
  `At most 50 steps at the top level and in each arm, and 8 levels of branches. In a branch, ${conditionHelp} ` +
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
  'draft: does not enrol contacts yet; active: enrols contacts; paused: does not enrol contacts, and its runs are held; archived: ended permanently.',
);

const automationFields = {
  id: uuid('The automation’s id.'),
  name: text('The name, for your own team.'),
  triggerEvent: text('The event that enrols contacts.'),
  triggerFilter: nullable(Condition),
  steps: list(AutomationStep, 'The steps, in order.'),
  reenter: boolean('Whether a contact can be enrolled again after an earlier run.'),
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
  'waiting: takes its next step at nextAt; held: waits until the automation is active and the account is open; completed: took its last step; cancelled: was stopped; failed: a step could not be taken, see endReason.',
);

const runFields = {
  id: uuid('The run’s id.'),
  automationId: uuid('The automation.'),
  contactId: uuid('The contact.'),
  status: runStatus,
  position: text('The current step, such as steps[1].then[0].'),
  context: map(
    anything(),
    'The event that started it: the properties of a recorded event, or the data of an event that svc emits.',
  ),
  nextAt: nullable(dateTime('When it takes its next step; null once it has ended.')),
  startedAt: dateTime('When the contact was enrolled.'),
  endedAt: nullable(dateTime('When it ended.')),
  endReason: nullable(
    text(
      'Why it ended early: steps_changed, cancelled, automation_archived, contact_erased, missing_variables, template_not_published, template_invalid, sender_not_verified, legal_address_missing, sms_too_long, too_many_properties, step_error.',
    ),
  ),
} as const;
const runColumns = [
  'id',
  'status',
  'position',
  'nextAt',
  'endReason',
  'startedAt',
  'endedAt',
  'contactId',
  'automationId',
] as const;

export const AutomationRun = named(
  'AutomationRun',
  object(runFields, { description: 'One contact’s run through an automation.', columns: runColumns }),
);

/** The form in lists. */
export const AutomationRunOfContact = object(
  {
    ...runFields,
    contact: nullable(
      object(
        {
          email: nullable(text('The email address.')),
          phone: nullable(text('The phone number.')),
          firstName: nullable(text('The first name.')),
          lastName: nullable(text('The last name.')),
        },
        { description: 'Who the contact is; null if it was erased.' },
      ),
    ),
  },
  { columns: runColumns },
);

export const RunStep = object(
  {
    step: text('The step’s position when it was taken, such as steps[1].then[0].'),
    type: text('wait, send, property.set or branch.'),
    at: dateTime('When it was taken.'),
    outcome: oneOf(
      outcomes,
      'sent: a message was accepted; suppressed: no message was created, see reason; failed: the run ended here; waited: the wait is over; set, unchanged: what happened to the property; then, else: the arm that was taken.',
    ),
    reason: nullable(text('Why a message was suppressed, or a step failed.')),
    blocked: nullable(BlockedStep),
    detail: nullable(text('What the failed step lacked: the names of the variables, or the position in the template.')),
    messageId: nullable(uuid('The id of the accepted message, for `message.get` of the step’s channel.')),
  },
  { columns: ['step', 'type', 'outcome', 'reason', 'detail', 'at', 'messageId'] },
);

/** The number of runs in each status. */
export const RunCounts = object(
  {
    waiting: count('Runs that are waiting for their next step.'),
    held: count('Runs that are held.'),
    completed: count('Runs that took their last step.'),
    cancelled: count('Runs that were stopped.'),
    failed: count('Runs that failed at a step.'),
    byStep: map(count(), 'Waiting and held runs by their current step; removed: those at steps that no longer exist.'),
  },
  { description: 'How many runs there are, and at which steps.' },
);
