import {
  addressOf,
  blockWords,
  Card,
  exactDay,
  Facts,
  has,
  Icon,
  rowAt,
  rowsAt,
  suppressionWords,
  textAt,
  useRead,
  type Row,
} from '#core/surfaces/console/kit/index.js';

interface ChecksProps {
  to: readonly string[];
  topic: string;
}

/** “Will it arrive?”: what sending will decide, before it is sent. */
export function ComposeChecks({ to, topic }: ChecksProps) {
  const sender = useRead('email.sender.get', {}, { enabled: has('email.sender.get') });
  const from = textAt(sender.data, 'sender.from') || textAt(sender.data, 'ownAddress');
  return (
    <>
      <Card title="Will it arrive?" flush>
        <ul class="checks">
          {to.length === 0 ? (
            <li>
              <Icon name="open" />
              <div>Choose who gets it.</div>
            </li>
          ) : null}
          {to.slice(0, 5).map((address) => (
            <Recipient key={address} email={address} topic={topic} />
          ))}
          {from === '' ? null : (
            <li class="ok">
              <Icon name="done" />
              <div>It is sent from {from}.</div>
            </li>
          )}
          {topic !== '' && to.length > 1 ? (
            <li>
              <Icon name="alert" />
              <div>An email about a topic goes to exactly one person.</div>
            </li>
          ) : null}
        </ul>
      </Card>
      {to.length === 1 && to[0] !== undefined && has('audience.contact.list') ? <Person email={to[0]} /> : null}
    </>
  );
}

const useContact = (email: string): Row | undefined => {
  const { data } = useRead(
    'audience.contact.list',
    { query: email, limit: 5 },
    { enabled: has('audience.contact.list') },
  );
  return rowsAt(data, 'contacts').find((each) => textAt(each, 'email').toLowerCase() === email.toLowerCase());
};

/** Whether one address gets it: suppressed, or without consent to the topic. */
function Recipient({ email, topic }: { email: string; topic: string }) {
  const contact = useContact(email);
  const contactId = textAt(contact, 'id');
  const { data } = useRead('audience.contact.get', { contactId }, { enabled: contactId !== '' });
  const suppressed = useRead(
    'audience.suppression.list',
    { email, limit: 20 },
    { enabled: has('audience.suppression.list') },
  );
  const active = rowsAt(suppressed.data, 'suppressions').find((each) => textAt(each, 'liftedAt') === '');
  const reach = rowsAt(data, 'reach').find(
    (each) => textAt(each, 'channel') === 'email' && textAt(each, 'topic') === topic,
  );
  const isStopped = active !== undefined || reach?.['reachable'] === false || (topic !== '' && contact === undefined);
  const reason = active
    ? `suppressed: ${suppressionWords(textAt(active, 'reason'))}, ${exactDay(textAt(active, 'createdAt'))}`
    : reach?.['reachable'] === false
      ? blockWords({
          rule: textAt(reach, 'reason'),
          topic,
          recordId: textAt(reach, 'recordId'),
          since: textAt(reach, 'since'),
          source: '',
        })
      : 'no consent to the topic';
  return (
    <li class={isStopped ? '' : 'ok'}>
      <Icon name={isStopped ? 'alert' : 'done'} />
      <div>
        {isStopped ? `${email} does not get it: ${reason}.` : `${email} can get it.`}
        {isStopped && contactId !== '' ? (
          <p>
            <a href={addressOf(['audience', 'contact', contactId])}>Show the person</a>
          </p>
        ) : null}
      </div>
    </li>
  );
}

/** Who the only recipient is, and what they were sent last. */
function Person({ email }: { email: string }) {
  const contact = useContact(email);
  const { data } = useRead('email.message.list', { to: email, limit: 1 });
  const last = rowAt({ last: rowsAt(data, 'messages')[0] }, 'last');
  const name = [textAt(contact, 'firstName'), textAt(contact, 'lastName')].filter((part) => part !== '').join(' ');
  if (contact === undefined) return null;
  return (
    <Card
      title={name || email}
      beside={
        <a class="right" href={addressOf(['audience', 'contact', textAt(contact, 'id')])}>
          Open
        </a>
      }
    >
      <Facts
        row={{
          ...(textAt(last, 'messageId') === ''
            ? {}
            : { lastEmail: textAt(last, 'subject'), sent: textAt(last, 'createdAt') }),
          language: contact['locale'] ?? 'not known',
        }}
      />
    </Card>
  );
}
