import type { BroadcastFields } from './broadcast-tables.js';
import type { ChannelBroadcasts } from './broadcasts/channel.js';
import type { PresentedBroadcast } from './broadcasts/present.js';
import type { SystemTemplate } from './system-template.js';
import type { MessageFields } from './tables.js';
import type { ChannelTemplates } from './templates/channel.js';

export type ChannelName = SystemTemplate['channel'];

/** What the operations of templates need of a channel. */
export interface TemplateChannel<Name extends ChannelName, Source = unknown, Given = unknown> {
  readonly name: Name;
  readonly templates: ChannelTemplates<Source, unknown, Given>;
}

/** What the operations of broadcasts need of a channel. */
export interface BroadcastChannel<
  Name extends ChannelName,
  B extends BroadcastFields,
  M extends MessageFields,
  P extends PresentedBroadcast,
> {
  readonly name: Name;
  readonly broadcasts: ChannelBroadcasts<B, M, P>;
}

/**
 * A channel, such as email or sms, as one value: what its product declares. The operations in operations/ are functions
 * of it, so that all channels have the same ones.
 */
export type Channel<
  Name extends ChannelName,
  Source,
  Given,
  B extends BroadcastFields,
  M extends MessageFields,
  P extends PresentedBroadcast,
> = TemplateChannel<Name, Source, Given> & BroadcastChannel<Name, B, M, P>;
