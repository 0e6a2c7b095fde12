import { declareEvents } from '#core/kernel/event.js';
import { object, integer } from '#core/kernel/schema/schema.js';
import { automationEvents } from './automations/events.js';
import { broadcastEvents } from './broadcasts/events.js';
import { exampleInbound, SmsInbound } from './inbound/resources.js';
import { messageEvents } from './messages/events.js';
import { exampleNumber, PhoneNumber } from './numbers/resources.js';
import { exampleRegistration, SmsRegistration } from './registration-data/resources.js';
import { defaultSettings } from './settings/defaults.js';
import { SmsSettings } from './settings/resources.js';
import { Template } from '#core/messaging/templates/resource.js';
import { exampleTemplate } from './templates/examples.js';

const template = object({ template: Template });

const templateEvents = declareEvents({
  'sms.template.draft_saved': {
    summary: 'The draft of an SMS template was saved.',
    subject: 'template',
    data: template,
    example: { template: { ...exampleTemplate, hasDraft: true } },
  },
  'sms.template.published': {
    summary: 'A version of an SMS template was published.',
    subject: 'template',
    data: object({ template: Template, version: integer('The published version.') }),
    example: { template: exampleTemplate, version: 3 },
  },
  'sms.template.deleted': {
    summary: 'An SMS template was deleted, or a system template reverted to its built-in text.',
    subject: 'template',
    data: template,
    example: { template: { ...exampleTemplate, publishedVersion: null } },
  },
});

const registration = object({ registration: SmsRegistration });
const settings = object({ settings: SmsSettings });

export const events = declareEvents({
  ...messageEvents,
  ...templateEvents,
  ...broadcastEvents,
  ...automationEvents,

  // Numbers
  'sms.number.assigned': {
    summary: 'A number was assigned to the environment.',
    subject: 'number',
    data: object({ number: PhoneNumber }),
    example: { number: exampleNumber },
  },

  // Registration
  'sms.registration.submitted': {
    summary: 'A carrier registration was submitted.',
    subject: 'registration',
    data: registration,
    example: { registration: exampleRegistration },
  },
  'sms.registration.registering': {
    summary: 'A carrier registration is being reviewed by the carriers.',
    subject: 'registration',
    data: registration,
    example: { registration: { ...exampleRegistration, stage: 'registering' } },
  },
  'sms.registration.active': {
    summary: 'The carriers approved a registration.',
    subject: 'registration',
    data: registration,
    example: { registration: { ...exampleRegistration, stage: 'active' } },
  },
  'sms.registration.action_needed': {
    summary: 'A registration must be corrected and resubmitted.',
    subject: 'registration',
    data: registration,
    example: {
      registration: {
        ...exampleRegistration,
        stage: 'action_needed',
        problems: [
          {
            code: '30794',
            message: 'The website cannot be reached.',
            fix: 'Correct `website`, then call sms.registration.submit again.',
          },
        ],
      },
    },
  },
  'sms.registration.failed': {
    summary: 'The carriers refused a registration.',
    subject: 'registration',
    data: registration,
    example: { registration: { ...exampleRegistration, stage: 'failed' } },
  },

  // Received texts
  'sms.inbound.received': {
    summary: 'A text message was received.',
    subject: 'inbound',
    data: object({ inbound: SmsInbound }),
    example: { inbound: exampleInbound },
  },

  // Settings
  'sms.settings.changed': {
    summary: 'The SMS settings changed.',
    subject: 'environment',
    data: settings,
    example: { settings: { ...defaultSettings, quietHours: { enabled: true, from: '21:00', to: '08:00' } } },
  },
  'sms.settings.reset': {
    summary: 'The SMS settings were reset to their defaults.',
    subject: 'environment',
    data: settings,
    example: { settings: defaultSettings },
  },
});

declare module '#core/kernel/event.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
