import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { listBroadcasts } from '../../broadcasts/list.js';
import { broadcastStatus } from '../../broadcasts/resources.js';
import type { BroadcastFields } from '../../broadcast-tables.js';
import type { PresentedBroadcast } from '../../broadcasts/present.js';
import type { BroadcastChannel, ChannelName } from '../../channel.js';
import type { MessageFields } from '../../tables.js';
import type { Texts } from '../texts.js';

/** `<channel>.broadcast.list`. */
export const broadcastList = <
  Name extends ChannelName,
  B extends BroadcastFields,
  M extends MessageFields,
  P extends PresentedBroadcast,
>(
  { name, broadcasts }: BroadcastChannel<Name, B, M, P>,
  texts: Omit<Texts, 'description'>,
) => {
  const { kind, presenter, resource, examples } = broadcasts;
  return defineOperation({
    name: `${name}.broadcast.list`,
    ...texts,
    access: 'secret',
    requires: 'audience',
    impact: { read: true, retrySafe: true },
    input: object({ ...page, status: optional(broadcastStatus) }),
    output: object({ broadcasts: list(resource), nextBefore }),
    example: { input: { status: 'draft' }, output: { broadcasts: [examples.draft], nextBefore: null } },

    handle: (input, { db, caller }) => listBroadcasts(db, kind.tables, presenter, caller.environment.id, input),
  });
};
