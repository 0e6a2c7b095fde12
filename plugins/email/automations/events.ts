import { declareEvents } from '#core/kernel/event.js';
import { BlockedStep, exampleBlock } from '#core/messaging/blocked.js';
import { nullable, object, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import { exampleAutomation, exampleRun } from './examples.js';
import { Automation, AutomationRun } from './resources.js';

const automation = object({ automation: Automation });
const run = object({ run: AutomationRun });
const sentStep = object({
  step: text('The send step, such as steps[0].'),
  messageId: uuid('The message, for email.message.get.'),
  run: AutomationRun,
});
const suppressedStep = object({
  step: text('The send step, such as steps[0].'),
  reason: nullable(
    text(
      'Why no message was created: no_consent, suppressed_recipient, test_environment, no_address, spending_cap_reached.',
    ),
  ),
  blocked: nullable(BlockedStep),
  run: AutomationRun,
});

const withStatus = (status: ValueOf<typeof Automation>['status']): object => ({
  automation: { ...exampleAutomation, status },
});

export const automationEvents = declareEvents({
  'email.automation.created': {
    summary: 'An automation was created.',
    subject: 'automation',
    requires: ['audience'],
    data: automation,
    example: withStatus('draft'),
  },
  'email.automation.updated': {
    summary: 'An automation changed.',
    subject: 'automation',
    requires: ['audience'],
    data: automation,
    example: withStatus('active'),
  },
  'email.automation.activated': {
    summary: 'An automation was activated.',
    subject: 'automation',
    requires: ['audience'],
    data: automation,
    example: withStatus('active'),
  },
  'email.automation.paused': {
    summary: 'An automation was paused; its runs are held.',
    subject: 'automation',
    requires: ['audience'],
    data: automation,
    example: withStatus('paused'),
  },
  'email.automation.archived': {
    summary: 'An automation was archived; its waiting runs are cancelled.',
    subject: 'automation',
    requires: ['audience'],
    data: automation,
    example: withStatus('archived'),
  },
  'email.automation.cancelled': {
    summary: 'A run of an automation was cancelled.',
    subject: 'run',
    requires: ['audience'],
    data: run,
    example: {
      run: {
        ...exampleRun,
        status: 'cancelled',
        nextAt: null,
        endedAt: '2026-11-21T09:30:00.000Z',
        endReason: 'cancelled',
      },
    },
  },
  'email.automation.sent': {
    summary: 'An automation accepted a message to a contact.',
    subject: 'run',
    requires: ['audience'],
    data: sentStep,
    example: {
      step: 'steps[0]',
      messageId: '01890a5d-ac96-774b-bcce-b302099a8300',
      run: { ...exampleRun, position: 'steps[0]' },
    },
  },
  'email.automation.suppressed': {
    summary: 'A send step of an automation did not create a message, because the contact must not be sent it.',
    subject: 'run',
    requires: ['audience'],
    data: suppressedStep,
    example: {
      step: 'steps[0]',
      reason: 'no_consent',
      blocked: exampleBlock('email'),
      run: { ...exampleRun, position: 'steps[0]' },
    },
  },
});
