import { Head, Loading, Refusal, useAddress, useRead, type ScreenProps } from '#core/surfaces/console/kit/index.js';
import { BroadcastResult } from './broadcast-result.js';
import { BroadcastSteps } from './broadcast-steps.js';

const pollMs = 2_000;

/** A broadcast: four steps while it is a draft, its progress and results afterwards. */
export default function BroadcastScreen({ params: { broadcastId = '' } }: ScreenProps) {
  const { query } = useAddress();
  const isNew = broadcastId === 'new';
  const { data, error, again } = useRead(
    'email.broadcast.get',
    { broadcastId },
    { enabled: !isNew, pollMs: isNew ? undefined : pollMs },
  );
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
