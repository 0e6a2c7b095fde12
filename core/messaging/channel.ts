import type { SystemTemplate } from './system-template.js';
import type { ChannelTemplates } from './templates/channel.js';

export type ChannelName = SystemTemplate['channel'];

/**
 * A channel, such as email or sms: everything that its product declares, as one value. The operations in operations/
 * are functions of it, so that all channels have the same ones.
 */
export interface Channel<Name extends ChannelName = ChannelName, Source = unknown, Given = unknown> {
  readonly name: Name;
  readonly templates: ChannelTemplates<Source, unknown, Given>;
}
