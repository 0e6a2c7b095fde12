import type { PresentedBroadcast } from '#core/messaging/broadcasts/present.js';
import type { Channel } from '#core/messaging/channel.js';
import { broadcastsOfSms } from './broadcasts/channel.js';
import type { BroadcastRow } from './tables/broadcast.js';
import type { MessageRow } from './tables/message.js';
import type { TemplateBody } from './tables/template.js';
import { smsTemplates } from './templates/channel.js';

/** Text messages as a channel (core/messaging/channel.ts). */
export const smsChannel: Channel<'sms', TemplateBody, TemplateBody, BroadcastRow, MessageRow, PresentedBroadcast> = {
  name: 'sms',
  templates: smsTemplates,
  broadcasts: broadcastsOfSms,
};
