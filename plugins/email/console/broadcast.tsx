import { useEffect, useState } from 'preact/hooks';
import { Head, Loading, Refusal, useAddress, useRead, type ScreenProps } from '#core/surfaces/console/kit/index.js';
import { BroadcastResult } from './broadcast-result.js';
import { BroadcastSteps } from './broadcast-steps.js';

const pollMs = 2_000;

/** Statuses in which its counts change without anybody's doing. */
const moving: readonly string[] = ['scheduled', 'sending', 'held'];

/** A broadcast: four steps while it is a draft, its progress and results afterwards. */
export default function BroadcastScreen({ params: { broadcastId = '' } }: ScreenProps) {
  const { query } = useAddress();
  const isNew = broadcastId === 'new';
  const [isMoving, setMoving] = useState(false);
  const { data, error, again } = useRead(
    'email.broadcast.get',
    { broadcastId },
    { enabled: !isNew, pollMs: isMoving ? pollMs : undefined },
  );
  const status = data?.broadcast.status ?? '';
  useEffect(() => setMoving(moving.includes(status)), [status]);
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
