import { useId, useState } from 'preact/hooks';
import {
  actorOf,
  addressOf,
  BlockFix,
  blockOf,
  blockWords,
  Card,
  exactTime,
  has,
  Notice,
  rowsAt,
  Status,
  suppressionWords,
  textAt,
  Time,
  useRead,
  type Block,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { recorder } from './consents.js';
import { personTexts } from './person-texts.js';

interface WhyNotProps {
  contact: Row;
  /** Whether the person can be reached, by channel and topic, as audience.contact.get answers it. */
  reach: readonly Row[];
  suppressions: readonly Row[];
}

type ChannelName = 'email' | 'sms';
const nouns: Readonly<Record<ChannelName, string>> = { email: 'email', sms: 'text' };

/** “Why didn’t they get any email?”: the rule that stops it, its record, who recorded it, and the fix. */
export function WhyNot({ contact, reach, suppressions }: WhyNotProps) {
  const channels = (['email', 'sms'] as const).filter((name) => has(`${name}.message.list`));
  const { data: topics } = useRead('audience.topic.list', { limit: 100 });
  const firstStopped = reach.find(
    (each) => each['reachable'] === false && textAt(each, 'channel') === channels[0] && textAt(each, 'topic') !== '',
  );
  const [chosen, choose] = useState<{ channel: ChannelName; topic: string }>();
  const first = channels[0] ?? 'email';
  const messages = useMessagesTo(contact, first);
  const lastBlocked = rowsAt(messages, 'messages').find((each) => textAt(each, 'status') === 'suppressed');
  const channel = chosen?.channel ?? first;
  const topic = chosen?.topic ?? textAt(lastBlocked ?? firstStopped, 'topic');
  const id = useId();
  const found = reach.find((each) => textAt(each, 'channel') === channel && textAt(each, 'topic') === topic);
  const options = [...new Set(reach.map((each) => textAt(each, 'topic')))];
  const nameOf = (key: string): string =>
    key === ''
      ? 'No topic (receipts, notices)'
      : textAt(
          rowsAt(topics, 'topics').find((each) => textAt(each, 'key') === key),
          'name',
        ) || key;
  if (channels.length === 0) return null;
  return (
    <Card title={`Why didn’t they get any ${channels.includes('email') ? 'email' : 'texts'}?`}>
      <div class="row why">
        <label for={`${id}-channel`}>Channel</label>
        <select
          id={`${id}-channel`}
          class="input"
          value={channel}
          onChange={({ currentTarget }) => choose({ channel: currentTarget.value === 'sms' ? 'sms' : 'email', topic })}
        >
          {channels.map((each) => (
            <option value={each}>{each === 'email' ? 'Email' : 'Text message'}</option>
          ))}
        </select>
        <label for={`${id}-topic`}>Topic</label>
        <select
          id={`${id}-topic`}
          class="input"
          value={topic}
          onChange={({ currentTarget }) => choose({ channel, topic: currentTarget.value })}
        >
          {options.map((each) => (
            <option value={each}>{nameOf(each)}</option>
          ))}
        </select>
        <span class="faint">{personTexts.why}</span>
      </div>
      <div aria-live="polite" class="stack">
        {found === undefined ? null : found['reachable'] === true ? (
          <Notice tone="good">
            <p>
              <b>Yes, they can be reached by {nouns[channel]}.</b> {personTexts.reachable}
            </p>
          </Notice>
        ) : (
          <Stopped contact={contact} reach={found} channel={channel} topic={topic} suppressions={suppressions} />
        )}
        <Blocked contact={contact} channel={channel} topic={topic} />
      </div>
    </Card>
  );
}

/** The rule that stops messages now, with its record and its fix. */
function Stopped({
  contact,
  reach,
  channel,
  topic,
  suppressions,
}: {
  contact: Row;
  reach: Row;
  channel: ChannelName;
  topic: string;
  suppressions: readonly Row[];
}) {
  const contactId = textAt(contact, 'id');
  const recordId = textAt(reach, 'recordId');
  const suppression = suppressions.find((each) => textAt(each, 'id') === recordId);
  const { data } = useRead('audience.consent.list', { contactId, limit: 50 });
  const consent = rowsAt(data, 'consents').find((each) => textAt(each, 'id') === recordId);
  const block: Block = {
    rule: textAt(reach, 'reason'),
    channel,
    topic,
    recordId,
    since: textAt(reach, 'since'),
    source: suppression ? textAt(suppression, 'reason') : textAt(consent, 'source'),
    contactId,
    to: textAt(contact, channel === 'email' ? 'email' : 'phone'),
  };
  return (
    <Notice
      tone="bad"
      action={
        <span class="acts">
          <BlockFix block={block} />
        </span>
      }
    >
      <p>
        <b>{blockWords(block)}.</b>
      </p>
      {block.rule === 'never_asked' ? <p>{personTexts.neverAsked}</p> : null}
      {suppression === undefined ? null : (
        <p>
          {textAt(suppression, 'email') || textAt(suppression, 'phone')}:{' '}
          {suppressionWords(textAt(suppression, 'reason'))}
          {textAt(suppression, 'note') === '' ? '' : ` (${textAt(suppression, 'note')})`}
        </p>
      )}
      {consent === undefined ? null : (
        <p>
          Source: {textAt(consent, 'source')}
          {textAt(consent, 'wording') === '' ? '' : `. Wording: “${textAt(consent, 'wording')}”`}
        </p>
      )}
      {recordId === '' ? null : (
        <Recorded
          at={textAt(consent, 'recordedAt') || textAt(suppression, 'createdAt')}
          by={consent ? recorder(actorOf(consent), textAt(consent, 'actor.kind')) : ''}
          subjectId={suppression ? recordId : contactId}
          field={`consent.${channel}.${topic}`}
        />
      )}
    </Notice>
  );
}

const sameWriteMs = 10_000;

/** When it was recorded and by whom, with the audit record of that write. */
function Recorded({ at, by, subjectId, field }: { at: string; by: string; subjectId: string; field: string }) {
  const { data, error } = useRead(
    'account.activity.list',
    { subjectId, limit: 100 },
    { enabled: has('account.activity.list') },
  );
  const near = (each: Row): boolean => Math.abs(Date.parse(textAt(each, 'createdAt')) - Date.parse(at)) < sameWriteMs;
  const records = rowsAt(data, 'activities').filter(near);
  const record =
    records.find((each) => rowsAt(each, 'changes').some((change) => textAt(change, 'field') === field)) ?? records[0];
  const who = by || actorOf(record ?? {});
  return (
    <p>
      Recorded <Time at={at} /> ({exactTime(at)}){who === '' ? '' : ` by ${who}`}.{' '}
      {record === undefined ? (
        data === undefined && !error ? null : (
          <span class="faint">{personTexts.unknownRecorder}</span>
        )
      ) : (
        <a href={addressOf(['account', 'activity', textAt(record, 'id')])}>Audit record</a>
      )}
    </p>
  );
}

const mostShown = 5;

/** The newest messages to the person on a channel. */
function useMessagesTo(contact: Row, channel: ChannelName): unknown {
  const to = textAt(contact, channel === 'email' ? 'email' : 'phone');
  return useRead(`${channel}.message.list`, { to, limit: 100 }, { enabled: to !== '' }).data;
}

/** The newest messages of this kind to the person that did not reach them; if there are none, that none was made. */
function Blocked({ contact, channel, topic }: { contact: Row; channel: ChannelName; topic: string }) {
  const to = textAt(contact, channel === 'email' ? 'email' : 'phone');
  const data = useMessagesTo(contact, channel);
  if (to === '' || data === undefined) return null;
  const ofTopic = rowsAt(data, 'messages').filter((each) => textAt(each, 'topic') === topic);
  const stopped = ofTopic.filter((each) => !['sent', 'queued', 'sending'].includes(textAt(each, 'status')));
  if (ofTopic.length === 0) return <p class="soft">{personTexts.noMessages}</p>;
  if (stopped.length === 0) {
    const last = ofTopic[0];
    return (
      <p class="soft">
        The last one is <a href={addressOf([channel, 'message', textAt(last, 'messageId')])}>{titleOf(last ?? {})}</a>:{' '}
        <Status status={textAt(last, 'status')} /> <Time at={textAt(last, 'sentAt') || textAt(last, 'createdAt')} />.
        {channel === 'email' && textAt(last, 'status') === 'sent'
          ? ' Their mail server took it, so look in the spam folder.'
          : ''}
      </p>
    );
  }
  return (
    <>
      <h3>Messages that did not reach them</h3>
      <ul class="links">
        {stopped.slice(0, mostShown).map((each) => {
          const block = blockOf(each, channel);
          return (
            <li key={textAt(each, 'messageId')}>
              <a href={addressOf([channel, 'message', textAt(each, 'messageId')])}>{titleOf(each)}</a>{' '}
              <Status status={textAt(each, 'status')} />{' '}
              <span class="soft">{block ? blockWords(block) : textAt(each, 'bounce.detail')}</span>{' '}
              <span class="faint">
                <Time at={textAt(each, 'createdAt')} />
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

const titleOf = (message: Row): string =>
  textAt(message, 'subject') || textAt(message, 'body').slice(0, 60) || 'a message without a subject';
