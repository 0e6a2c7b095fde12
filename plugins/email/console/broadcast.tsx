import {
  Head,
  Loading,
  Refusal,
  useAddress,
  useRead,
  type ResultOf,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { BroadcastResult } from './broadcast-result.js';
import { BroadcastSteps } from './broadcast-steps.js';

/** Statuses in which its counts change without anybody's doing. */
const moving: readonly string[] = ['scheduled', 'sending', 'held'];

const pollMs = ({ broadcast }: ResultOf<'email.broadcast.get'>) =>
  moving.includes(broadcast.status) ? 2_000 : undefined;

/** A broadcast: four steps while it is a draft, its progress and results afterwards. */
export default function BroadcastScreen({ params: { broadcastId = '' } }: ScreenProps) {
  const { query } = useAddress();
  const isNew = broadcastId === 'new';
  const { data, error, again } = useRead('email.broadcast.get', { broadcastId }, { enabled: !isNew, pollMs });
  if (isNew) return <BroadcastSteps reply={undefined} start={query} />;
  if (error)
    return (
      <>
        <Head title="Broadcast" />
        <Refusal error={error} again={again} />
      </>
    );
  if (!data) return <Loading />;
  return data.broadcast.status === 'draft' ? (
    <BroadcastSteps key={broadcastId} reply={data} start={{}} />
  ) : (
    <BroadcastResult reply={data} />
  );
}
