import type { Channel } from '#core/messaging/channel.js';
import { broadcastsOfEmail } from './broadcasts/channel.js';
import type { Presented } from './broadcasts/present.js';
import type { BroadcastRow } from './tables/broadcast.js';
import type { MessageRow } from './tables/message.js';
import type { TemplateSource } from './tables/template.js';
import { emailTemplates } from './templates/channel.js';
import type { GivenSource } from './templates/resources.js';

/** Email as a channel (core/messaging/channel.ts). */
export const emailChannel: Channel<'email', TemplateSource, GivenSource, BroadcastRow, MessageRow, Presented> = {
  name: 'email',
  templates: emailTemplates,
  broadcasts: broadcastsOfEmail,
};
