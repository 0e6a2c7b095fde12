import type { Channel } from '#core/messaging/channel.js';
import type { TemplateSource } from './tables/template.js';
import { emailTemplates } from './templates/channel.js';
import type { GivenSource } from './templates/resources.js';

/** Email as a channel (core/messaging/channel.ts). */
export const emailChannel: Channel<'email', TemplateSource, GivenSource> = { name: 'email', templates: emailTemplates };
