import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context, ReadContext } from '#core/kernel/context.js';
import type { Schema, ValueOf } from '#core/kernel/schema/schema.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import type { MessageFields } from '../tables.js';
import type { BroadcastDriver } from './driver.js';
import type { BackgroundCount } from './readiness.js';
import type { BroadcastPresenter, PresentedBroadcast } from './present.js';
import type { BroadcastReadiness } from './resources.js';

type Readiness = ValueOf<typeof BroadcastReadiness>;

/** The broadcasts of a channel. `B` is their row, `M` that of their messages; replies and events show `P`. */
export interface ChannelBroadcasts<B extends BroadcastFields, M extends MessageFields, P extends PresentedBroadcast> {
  readonly kind: BroadcastDriver<B, M>;
  readonly resource: Schema<P>;
  readonly presenter: BroadcastPresenter<B, P>;
  /** In the reference: a draft, and what it becomes. */
  readonly examples: {
    readonly draft: P;
    readonly sending: P;
    readonly held: P;
    readonly closed: P;
    readonly readiness: Readiness;
  };
  /** What people call such a broadcast, for the search. */
  readonly keywords: string;
  /** What is missing before a broadcast can be sent. */
  shownReadiness(
    context: Pick<ReadContext, 'db' | 'use' | 'deployment' | 'clock'>,
    environment: Environment,
    broadcast: B,
  ): Promise<{ readonly readiness: Readiness; readonly background: BackgroundCount }>;
  /** Whether the remaining messages of a broadcast that is held because of the spending cap fit into the cap. */
  checkCap(
    context: Pick<ReadContext, 'db' | 'use' | 'clock'>,
    environment: Environment,
    broadcast: B,
  ): Promise<Readiness>;
  /** @throws billing_past_due */
  requireGoodStanding(
    context: Pick<Context<never, 'billing_past_due'>, 'use' | 'fail'>,
    environment: Environment,
    operation: string,
  ): Promise<void>;
}
