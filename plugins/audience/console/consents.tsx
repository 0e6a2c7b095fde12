import {
  actorOf,
  addressOf,
  Card,
  has,
  Loading,
  OperationButton,
  Refusal,
  rowAt,
  rowsAt,
  Status,
  textAt,
  Time,
  useRead,
} from '#core/surfaces/console/kit/index.js';
import { personTexts } from './person-texts.js';

const channelWords: Readonly<Record<string, string>> = { email: 'Email', sms: 'Text' };

/** What a person has said about topics: each record with its source and who recorded it, newest first. */
export function Consents({ contactId }: { contactId: string }) {
  const { data, error, again } = useRead('audience.consent.list', { contactId, limit: 50 });
  const records = rowsAt(data, 'consents');
  return (
    <Card
      title="Consents"
      flush
      beside={
        <span class="right acts">
          <OperationButton
            operation="audience.consent.grant"
            action="Record consent"
            kind="small"
            input={{ contactId }}
            fields={['topic', 'channel', 'source', 'wording', 'givenAt']}
            done="Consent recorded"
          />
          <OperationButton
            operation="audience.consent.revoke"
            action="Record opt-out"
            kind="small"
            input={{ contactId }}
            fields={['topic', 'channel', 'source']}
            done="Opt-out recorded"
          >
            <p>Nothing more is sent under the topic; without a topic, under no topic at all.</p>
          </OperationButton>
        </span>
      }
    >
      {error ? (
        <div class="in">
          <Refusal error={error} again={again} />
        </div>
      ) : data === undefined ? (
        <Loading lines={4} />
      ) : records.length === 0 ? (
        <p class="in soft">{personTexts.noConsents}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Consent records">
          <table>
            <thead>
              <tr>
                <th scope="col">Topic</th>
                <th scope="col">Channel</th>
                <th scope="col">State</th>
                <th scope="col">Source</th>
                <th scope="col">Recorded</th>
                <th scope="col">Recorded by</th>
              </tr>
            </thead>
            <tbody>
              {records.map((record) => (
                <tr key={textAt(record, 'id')}>
                  <td>{textAt(record, 'topic')}</td>
                  <td>{channelWords[textAt(record, 'channel')]}</td>
                  <td>
                    {textAt(record, 'state') === 'granted' ? (
                      <Status status="granted" />
                    ) : (
                      <span class="st bad">Opted out</span>
                    )}
                    {record['effective'] === false ? <span class="faint"> (no effect)</span> : null}
                  </td>
                  <td title={textAt(record, 'wording')}>{textAt(record, 'source')}</td>
                  <td class="time">
                    <Time at={textAt(record, 'recordedAt')} />
                  </td>
                  <td>{recorder(actorOf(record), textAt(rowAt(record, 'actor'), 'kind'))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {records.length === 0 || !has('account.activity.list') ? null : (
        <p class="pages">
          <a href={addressOf(['account', 'activity'], { subjectId: contactId })}>Audit records of this contact</a>
        </p>
      )}
    </Card>
  );
}

/** Who recorded it: a key or member by name, or the person on a page of svc's. */
export const recorder = (label: string, kind: string): string =>
  kind === 'public' || label === 'public' ? 'the person, on a page' : label;
