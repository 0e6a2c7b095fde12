import { declareEvents } from '#core/kernel/event.js';
import { integer, object } from '#core/kernel/schema/schema.js';
import { Template } from '#core/messaging/templates/resource.js';
import { exampleTemplate } from './examples.js';

const template = object({ template: Template });

export const templateEvents = declareEvents({
  'sms.template.draft_saved': {
    summary: 'The draft of a text template was saved.',
    subject: 'template',
    data: template,
    example: { template: { ...exampleTemplate, hasDraft: true } },
  },
  'sms.template.published': {
    summary: 'A version of a text template was published.',
    subject: 'template',
    data: object({ template: Template, version: integer('The version that is sent now.') }),
    example: { template: exampleTemplate, version: 3 },
  },
  'sms.template.deleted': {
    summary: 'A text template was deleted, or a system text has its built-in words again.',
    subject: 'template',
    data: template,
    example: { template: { ...exampleTemplate, publishedVersion: null } },
  },
});
