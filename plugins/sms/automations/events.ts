import { declareEvents } from '#core/kernel/event.js';
import { BlockedStep, exampleBlock } from '#core/messaging/blocked.js';
import { nullable, object, text, uuid } from '#core/kernel/schema/schema.js';
import { AutomationRun, exampleRun } from '#plugins/email/ports.js';

const step = text('The send step, such as steps[0].');

export const automationEvents = declareEvents({
  'sms.automation.sent': {
    summary: 'An automation accepted a text message to a contact.',
    subject: 'run',
    requires: ['email', 'audience'],
    data: object({ step, messageId: uuid('The message, for sms.message.get.'), run: AutomationRun }),
    example: {
      step: 'steps[0]',
      messageId: '01890a5d-ac96-774b-bcce-b302099a9100',
      run: { ...exampleRun, position: 'steps[0]' },
    },
  },
  'sms.automation.suppressed': {
    summary: 'A send step of an automation did not create a text message, because the contact must not be sent it.',
    subject: 'run',
    requires: ['email', 'audience'],
    data: object({
      step,
      reason: nullable(
        text(
          'Why no message was created: no_consent, suppressed_recipient, registration_required, no_number, test_environment, no_address, destination_not_allowed, spending_cap_reached.',
        ),
      ),
      blocked: nullable(BlockedStep),
      run: AutomationRun,
    }),
    example: {
      step: 'steps[0]',
      reason: 'no_consent',
      blocked: exampleBlock('sms'),
      run: { ...exampleRun, position: 'steps[0]' },
    },
  },
});
