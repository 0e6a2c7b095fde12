import type { Channel } from '#core/messaging/channel.js';
import type { TemplateBody } from './tables/template.js';
import { smsTemplates } from './templates/channel.js';

/** Text messages as a channel (core/messaging/channel.ts). */
export const smsChannel: Channel<'sms', TemplateBody, TemplateBody> = { name: 'sms', templates: smsTemplates };
