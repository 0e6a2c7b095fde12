import { declareEvents } from '#core/kernel/event.js';
import { integer, object } from '#core/kernel/schema/schema.js';
import { Template } from '#core/messaging/templates/resource.js';
import { exampleTemplate } from './examples.js';

const template = object({ template: Template });

export const templateEvents = declareEvents({
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
