import { benchBroadcasts, benchSignedBroadcasts } from './broadcasts.js';
import { benchFanOut } from './fan-out.js';
import { benchGrowth } from './growth/index.js';
import { benchHostile } from './hostile/index.js';
import { benchManyUsers } from './many-users/index.js';
import { benchNeighbours } from './neighbours.js';
import { benchSegments } from './segments/index.js';
import type { Stage } from '../stage.js';
import { benchTextBroadcasts } from './text-broadcasts.js';
import { benchWaitingEvents } from './waiting-events.js';

type Say = (line: string) => void;

/** A bench that does not measure rates, at a size that can be given. */
export interface SizedBench {
  readonly words: string;
  /** The sizes that are measured by default, and with --quick. */
  readonly sizes: { readonly usual: readonly number[]; readonly quick?: readonly number[] };
  /** Resolves to false if the result is not what is promised. */
  readonly run:
    | { readonly on: 'stage'; readonly bench: (stage: Stage, size: number, say: Say) => Promise<void> }
    /** On a separate database server. */
    | { readonly on: 'own server'; readonly bench: (sizes: readonly number[], say: Say) => Promise<boolean> };
}

const recipients = { usual: [100_000], quick: [20_000] };

const onStage = (
  words: string,
  sizes: SizedBench['sizes'],
  bench: (stage: Stage, size: number, say: Say) => Promise<void>,
): SizedBench => ({ words, sizes, run: { on: 'stage', bench } });

/** By their names on the command line. */
export const sizedBenches: ReadonlyMap<string, SizedBench> = new Map([
  ['broadcasts', onStage('delivery of a broadcast of that many mails into a sink', recipients, benchBroadcasts)],
  ['signed-broadcasts', onStage('the same with signatures', recipients, benchSignedBroadcasts)],
  ['text-broadcasts', onStage('delivery of a broadcast of that many texts', recipients, benchTextBroadcasts)],
  ['fan-out', onStage('making the messages of a broadcast, and cancelling them', recipients, benchFanOut)],
  ['neighbours', onStage('webhooks and single mails beside a broadcast', recipients, benchNeighbours)],
  [
    'hostile',
    onStage(
      'an ordinary account beside a hostile one with that many projects',
      { usual: [99], quick: [20] },
      benchHostile,
    ),
  ],
  ['waiting-events', onStage('a webhook beside that many waiting events', { usual: [1_000_000] }, benchWaitingEvents)],
  [
    'segments',
    {
      words: 'times of segments over that many contacts',
      sizes: { usual: [100_000, 1_000_000] },
      run: { on: 'own server', bench: (counts, say) => benchSegments(counts, say).then(() => true) },
    },
  ],
  [
    'growth',
    {
      words: 'rows that reads of the audience and drafts read among that many contacts',
      sizes: { usual: [1_000_000] },
      run: { on: 'own server', bench: ([contacts = 0], say) => benchGrowth(contacts, say).then(() => true) },
    },
  ],
  [
    'many-users',
    {
      words: 'rows that sign-ins and lists read among that many users',
      sizes: { usual: [1_000_000] },
      run: { on: 'own server', bench: ([users = 0], say) => benchManyUsers(users, say) },
    },
  ],
]);
