import {
  addressOf,
  Button,
  Card,
  counted,
  exactTime,
  Facts,
  Head,
  Notice,
  Progress,
  Share,
  type ResultOf,
  OperationButton,
} from '#core/surfaces/console/kit/index.js';
import { DuplicateButton, LeftOutButton, ScheduleButtons } from './broadcast-again.js';
import { SentMail } from './broadcast-sent.js';
import { BroadcastStatus } from './broadcasts.js';
import { Checklist } from './readiness.js';
import { broadcastTexts, holdReasons } from './texts.js';

type Reply = ResultOf<'email.broadcast.get'>;

const number = new Intl.NumberFormat('en');

/** A broadcast after the call that sent it: how far it is, what came of each email, who was left out. */
export function BroadcastResult({ reply: { broadcast, readiness } }: { reply: Reply }) {
  const { id, status, counts, audience } = broadcast;
  const refused = counts?.refused ?? 0;
  const ended = counts ? counts.sent + counts.failed + counts.suppressed + counts.cancelled + counts.bounced : 0;
  const input = { broadcastId: id };
  const results = counts
    ? ([
        { tone: 'good', text: 'Sent', status: 'sent', count: counts.sent },
        { tone: 'bad', text: 'Bounced: came back', status: 'bounced', count: counts.bounced },
        { tone: 'bad', text: 'Bounced: refused at once', status: 'failed', count: refused },
        { tone: 'bad', text: 'Failed for other reasons', status: 'failed', count: counts.failed - refused },
        { tone: 'warn', text: 'Suppressed meanwhile', status: 'suppressed', count: counts.suppressed },
        { tone: 'warn', text: 'Held', status: 'held', count: counts.held },
        { tone: 'run', text: 'Waiting', status: 'queued', count: counts.queued },
        { tone: 'run', text: 'Leaving now', status: 'sending', count: counts.sending },
        { tone: '', text: 'Cancelled', status: 'cancelled', count: counts.cancelled },
      ] as const)
    : [];
  return (
    <>
      <Head
        title={broadcast.name}
        beside={<BroadcastStatus status={status} />}
        sub={
          status === 'scheduled' && broadcast.scheduledAt !== null
            ? `Will be sent at ${exactTime(broadcast.scheduledAt)}.`
            : undefined
        }
        actions={
          <>
            {status === 'scheduled' || status === 'sending' || status === 'held' ? (
              <OperationButton
                operation="email.broadcast.cancel"
                input={input}
                kind="danger"
                done="Broadcast cancelled"
                action="Cancel broadcast"
              >
                <p>
                  {counts ? `${counted(counts.recipients - ended, 'email')} will not be sent. ` : ''}
                  {broadcastTexts.cancel}
                </p>
              </OperationButton>
            ) : null}
            {status === 'scheduled' ? <ScheduleButtons broadcast={broadcast} /> : null}
            {status === 'sending' ? (
              <OperationButton
                operation="email.broadcast.pause"
                input={input}
                done="Broadcast paused"
                action="Pause broadcast"
              />
            ) : null}
            {status === 'held' ? (
              <OperationButton
                operation="email.broadcast.resume"
                input={input}
                kind="main"
                done="Broadcast resumed"
                action="Resume broadcast"
              />
            ) : null}
            <DuplicateButton broadcast={broadcast} />
            <Button href={addressOf(['email', 'message'], { broadcastId: id })}>Show messages</Button>
          </>
        }
      />
      {status === 'held' ? (
        <Notice tone="warn">
          <p>{holdReasons[broadcast.holdReason ?? ''] ?? ''}</p>
          <p>{broadcastTexts.paused}</p>
        </Notice>
      ) : null}
      {status === 'held' && broadcast.holdReason === 'not_ready' ? (
        <Checklist readiness={readiness} broadcast={broadcast} />
      ) : null}
      <div class="two">
        <div class="stack">
          <Card
            title={counts ? `${number.format(ended)} of ${counted(counts.recipients, 'email')} have ended` : 'Results'}
          >
            {counts ? (
              <>
                {status === 'sending' || status === 'held' ? (
                  <Progress done={ended} total={counts.recipients} label="Emails that have ended" />
                ) : null}
                <Share
                  label={results.map(({ text, count }) => `${text}: ${number.format(count)}`).join(', ')}
                  parts={results}
                />
                <table aria-live="polite">
                  <tbody>
                    {results
                      .filter(({ count }) => count > 0)
                      .map(({ tone, text, status: each, count }) => (
                        <tr key={text}>
                          <td>
                            <span class={`st ${tone}`}>{text}</span>
                          </td>
                          <td class="num">{number.format(count)}</td>
                          <td class="num">
                            <a href={addressOf(['email', 'message'], { broadcastId: id, status: each })}>
                              Show <span class="unseen">{text}</span>
                            </a>
                          </td>
                        </tr>
                      ))}
                  </tbody>
                </table>
              </>
            ) : (
              <p class="soft">No emails are made yet.</p>
            )}
          </Card>
          {audience ? (
            <Card
              title="Left out"
              beside={
                <span class="right">
                  <LeftOutButton broadcast={broadcast} />
                </span>
              }
            >
              <Facts row={{ ...audience }} only={['neverAsked', 'optedOut', 'suppressed']} />
            </Card>
          ) : null}
          {counts ? <SentMail broadcastId={id} isSent={counts.sent > 0} /> : null}
        </div>
        <Card title="Broadcast">
          <Facts
            row={{ ...broadcast }}
            only={[
              'from',
              'subject',
              'topic',
              'segmentId',
              'template',
              'templateVersion',
              'scheduledAt',
              'sentAt',
              'completedAt',
              'id',
            ]}
            product="audience"
          />
        </Card>
      </div>
    </>
  );
}
