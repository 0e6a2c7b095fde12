import {
  blockWords,
  Card,
  exactDay,
  has,
  rowsAt,
  suppressionWords,
  textAt,
  useRead,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { personTexts } from './person-texts.js';

interface ReachProps {
  /** The first name; '' if it is not known. */
  name: string;
  /** What audience.contact.get answers. */
  reach: readonly Row[];
  consents: readonly Row[];
  suppressions: readonly Row[];
}

/** “Can we reach Ada?”: for each topic and channel, yes or the rule that stops it, with its day and source. */
export function ReachTable({ name, reach, consents, suppressions }: ReachProps) {
  const channels = (['email', 'sms'] as const).filter((each) => has(`${each}.message.list`));
  const { data } = useRead('audience.topic.list', { limit: 100 });
  const topics = [...new Set(reach.map((each) => textAt(each, 'topic')))];
  const nameOf = (key: string): string =>
    textAt(
      rowsAt(data, 'topics').find((each) => textAt(each, 'key') === key),
      'name',
    ) || key;
  if (channels.length === 0 || reach.length === 0) return null;
  return (
    <Card title={`Can we reach ${name === '' ? 'them' : name}?`} flush>
      <div class="scroll" tabIndex={0} role="region" aria-label="Topics and channels">
        <table class="reach">
          <thead>
            <tr>
              <th scope="col">Topic</th>
              {channels.map((each) => (
                <th scope="col">{each === 'email' ? 'Email' : 'Text'}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {topics.map((topic) => (
              <tr key={topic}>
                <th scope="row">
                  {topic === '' ? (
                    <>
                      Receipts and notices <span class="tag">no consent needed</span>
                    </>
                  ) : (
                    nameOf(topic)
                  )}
                </th>
                {channels.map((channel) => (
                  <td>
                    <Answer
                      found={reach.find(
                        (each) => textAt(each, 'channel') === channel && textAt(each, 'topic') === topic,
                      )}
                      consents={consents}
                      suppressions={suppressions}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="reach-note">{personTexts.reach}</p>
    </Card>
  );
}

/** The rules in two words. Only what the person has said themselves is red: everything else may change. */
const short: Readonly<Record<string, { word: string; tone: 'bad' | 'warn' | '' }>> = {
  opted_out: { word: 'Opted out', tone: 'bad' },
  suppressed: { word: 'Suppressed', tone: 'bad' },
  never_asked: { word: 'Never asked', tone: '' },
  no_address: { word: 'No address', tone: '' },
  topic_archived: { word: 'Archived', tone: '' },
  topic_channel_missing: { word: 'Not on this channel', tone: '' },
};

function Answer({
  found,
  consents,
  suppressions,
}: { found: Row | undefined } & Pick<ReachProps, 'consents' | 'suppressions'>) {
  if (found === undefined) return <span class="faint">–</span>;
  const [channel, topic, recordId] = [textAt(found, 'channel'), textAt(found, 'topic'), textAt(found, 'recordId')];
  if (found['reachable'] === true) {
    const consent = consents.find(
      (each) =>
        textAt(each, 'channel') === channel && textAt(each, 'topic') === topic && textAt(each, 'state') === 'granted',
    );
    return (
      <>
        <span class="st good">Yes</span>
        {consent === undefined ? null : <p>{evidence(consent)}</p>}
      </>
    );
  }
  const rule = textAt(found, 'reason');
  const { word, tone } = short[rule] ?? {
    word: blockWords({ rule, topic, recordId, since: '', source: '' }),
    tone: 'warn',
  };
  const suppression = suppressions.find((each) => textAt(each, 'id') === recordId);
  const consent =
    rule === 'opted_out'
      ? consents.find((each) => textAt(each, 'channel') === channel && textAt(each, 'topic') === topic)
      : undefined;
  return (
    <>
      <span class={`st ${tone}`}>{word}</span>
      {suppression ? (
        <p>{`${exactDay(textAt(suppression, 'createdAt'))}, ${suppressionWords(textAt(suppression, 'reason'))}`}</p>
      ) : consent ? (
        <p>{evidence(consent)}</p>
      ) : null}
    </>
  );
}

/** The date and the source of a consent. */
const evidence = (consent: Row): string =>
  [exactDay(textAt(consent, 'since')), textAt(consent, 'source')].filter((part) => part !== '').join(', ');
