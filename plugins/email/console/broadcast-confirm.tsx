import { Confirm, counted, useRead } from '#core/surfaces/console/kit/index.js';
import { broadcastTexts } from './texts.js';

const moment = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
});

/** The weekday, date, time and zone of a chosen time. */
const momentOf = (at: string): string =>
  `${moment.format(new Date(at))} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`;

/** Why a chosen time cannot be used. @param at empty for now */
export const timeProblem = (at: string): string | undefined => {
  if (at === '') return undefined;
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return 'Choose a time first.';
  return ms < Date.now() ? 'This time has passed: choose a later one, or “Now”.' : undefined;
};

interface BroadcastConfirmProps {
  draft: {
    readonly template: string;
    readonly subject: string;
    readonly topic: string;
    readonly segmentId: string;
    readonly scheduledAt: string;
  };
  people: number;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a broadcast is sent or scheduled: what goes to whom, and when. */
export function BroadcastConfirm({ draft, people, onConfirm, onClose }: BroadcastConfirmProps) {
  const { template, subject, topic, segmentId, scheduledAt } = draft;
  const isNow = scheduledAt === '';
  const found = useRead('audience.topic.get', { topic });
  const segment = useRead('audience.segment.get', { segmentId }, { enabled: segmentId !== '' });
  const rows = [
    ['When', isNow ? 'Now' : momentOf(scheduledAt)],
    ['Subject', subject === '' ? `That of the template ${template}` : subject],
    ['Topic', found.data?.topic.name ?? topic],
    ['Segment', segmentId === '' ? 'Everybody who subscribed' : (segment.data?.segment.name ?? segmentId)],
    ['Recipients', counted(people, 'contact')],
  ] as const;
  return (
    <Confirm
      title={isNow ? 'Send this broadcast?' : 'Schedule this broadcast?'}
      action={isNow ? 'Send broadcast' : 'Schedule broadcast'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <table>
        <tbody>
          {rows.map(([title, text]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {counted(people, 'contact')} will receive it. {isNow ? broadcastTexts.now : broadcastTexts.at}
      </p>
    </Confirm>
  );
}
