import { draftLimits, templateDraftSave } from '#core/messaging/operations/template/draft/save.js';
import { smsChannel } from '../../../channel.js';

export default templateDraftSave(smsChannel, {
  summary: 'Creates an SMS template, or replaces its draft in the given locales.',
  description: `Content is written in Liquid, and its syntax is checked; sms.estimate counts the segments of a published template. Locales that are left out stay as they are; null removes one. The draft of a published template starts from the published content. Nothing is sent from a draft until sms.template.publish. A draft under the name of a system template overrides the built-in text once it is published. ${draftLimits}`,
  keywords: 'create update edit write design liquid translation override',
});
