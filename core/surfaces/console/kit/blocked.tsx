import { addressOf } from './address.js';
import { OperationButton } from './operation-button.js';
import { Notice } from './page.js';
import { Prose } from './prose.js';
import { has, type Row } from './state.js';
import { exactDay } from './time.js';
import { rowAt, textAt } from './value.js';

/* Why somebody is not reached: the rule that stopped a message, in words, and the button for its fix. */

export interface Block {
  /** The rule, as `blocked.details.rule` and `reach.reason` name it; the reason of the message if no rule is stored. */
  readonly rule: string;
  readonly channel: 'email' | 'sms';
  readonly topic: string;
  /** The consent record or the suppression; '' if there is none. */
  readonly recordId: string;
  readonly since: string;
  /** Where the person opted out, or the reason of the suppression. */
  readonly source: string;
  readonly contactId: string;
  /** The address or number. */
  readonly to: string;
}

/** What stopped a message. @returns undefined if nothing did */
export function blockOf(message: Row, channel: 'email' | 'sms'): Block | undefined {
  const reason = textAt(message, 'blocked.reason');
  if (reason === '') return undefined;
  const to = message['to'];
  return {
    rule: textAt(message, 'blocked.details.rule') || reason,
    channel,
    topic: textAt(message, 'topic'),
    recordId: textAt(message, 'blocked.details.recordId'),
    since: textAt(message, 'blocked.details.since'),
    source: textAt(message, 'blocked.details.source'),
    contactId: textAt(message, 'contactId'),
    to: typeof to === 'string' ? to : Array.isArray(to) && typeof to[0] === 'string' ? to[0] : '',
  };
}

const suppressions: Readonly<Record<string, string>> = {
  bounce: 'hard bounce',
  complaint: 'marked as spam',
  unsubscribe: 'unsubscribed from everything',
  stop: 'replied STOP',
  manual: 'added by hand',
};

/** The reason of a suppression, in words. */
export const suppressionWords = (reason: string): string => suppressions[reason] ?? reason;

/** The rule in a few words, for a row of a list. */
export function blockWords({ rule, topic, since, source }: Omit<Block, 'channel' | 'contactId' | 'to'>): string {
  const of = topic === '' ? '' : ` of ${topic}`;
  const on = since === '' ? '' : `, ${exactDay(since)}`;
  switch (rule) {
    case 'never_asked':
      return topic === '' ? 'No consent recorded' : `No consent to ${topic}`;
    case 'opted_out':
      return `Opted out${of}${on}`;
    case 'suppressed':
    case 'suppressed_recipient':
      return `Suppressed${source === '' ? '' : `: ${suppressionWords(source)}`}${on}`;
    case 'topic_archived':
      return `The topic ${topic} is archived`;
    case 'topic_channel_missing':
      return `The topic ${topic} lacks this channel`;
    case 'no_address':
      return 'No address';
    case 'no_consent':
      return topic === '' ? 'No consent' : `No consent to ${topic}`;
    case 'test_environment':
      return 'Test environment';
    case 'registration_required':
      return 'Carrier registration required';
    case 'no_number':
      return 'No number to send from';
    default:
      return rule;
  }
}

/** Why a message waits, for a row of a list; '' if it is not held. */
export function heldWords(message: Row): string {
  if (textAt(message, 'status') !== 'held') return '';
  return textAt(message, 'broadcastId') === '' ? 'The environment is closed' : 'Its broadcast is on hold';
}

/** The buttons that fix a block; nothing if only the person can. */
export function BlockFix({ block }: { block: Block }) {
  const { rule, channel, topic, recordId, source, contactId, to } = block;
  const person = contactId === '' ? (channel === 'email' ? { email: to } : { phone: to }) : { contactId };
  const grant = (
    <OperationButton
      operation="audience.consent.grant"
      action="Record consent"
      kind="small"
      input={{ ...person, topic, channel }}
      fields={['source', 'wording', 'givenAt']}
      done="Consent recorded"
    >
      <p>
        Only what the person has said themselves: a form, a call, a letter. The source and the wording are kept as
        evidence{rule === 'opted_out' ? ', and it must be later than their opt-out' : ''}.
      </p>
    </OperationButton>
  );
  const link = <PreferencesLink person={person} />;
  switch (rule) {
    case 'never_asked':
    case 'no_consent':
      return topic === '' ? null : grant;
    case 'opted_out':
      return (
        <>
          {link}
          {grant}
        </>
      );
    case 'suppressed':
    case 'suppressed_recipient':
      if (source === 'unsubscribe' || source === 'complaint') return link;
      return recordId === '' || source === 'stop' ? null : <LiftButton suppressionId={recordId} />;
    case 'topic_archived':
      return (
        <OperationButton
          operation="audience.topic.restore"
          action="Restore topic"
          kind="small"
          input={{ topic }}
          done="Topic restored"
        >
          <p>Mail can be sent under {topic} again, to everyone whose consent it has.</p>
        </OperationButton>
      );
    case 'topic_channel_missing':
      return (
        <OperationButton
          operation="audience.topic.update"
          action="Change channels"
          kind="small"
          input={{ topic }}
          fields={['channels']}
          initial={{ channels: ['email', 'sms'] }}
          done="Topic changed"
        />
      );
    case 'no_address':
      return (
        <OperationButton
          operation="audience.contact.update"
          action={channel === 'email' ? 'Add email address' : 'Add phone number'}
          kind="small"
          input={{ contactId }}
          fields={[channel === 'email' ? 'email' : 'phone']}
          done="Contact changed"
        />
      );
    case 'registration_required':
      return has('sms.registration.get') ? (
        <a class="b small" href={addressOf(['sms', 'registration'])}>
          Show registration
        </a>
      ) : null;
    case 'no_number':
      return has('sms.number.list') ? (
        <a class="b small" href={addressOf(['sms', 'number'])}>
          Show numbers
        </a>
      ) : null;
    default:
      return null;
  }
}

/** Lifts a suppression, with a note for the audit record. */
export const LiftButton = ({
  suppressionId,
  kind = 'small',
}: {
  suppressionId: string;
  kind?: 'small' | undefined;
}) => (
  <OperationButton
    operation="audience.suppression.lift"
    action="Lift suppression"
    kind={kind}
    input={{ suppressionId }}
    fields={['note']}
    done="Suppression lifted"
  >
    <p>The next message to this address is sent again. If it bounces again, it is suppressed again.</p>
  </OperationButton>
);

/** Makes a link to the person's preferences page, to send to them. */
const PreferencesLink = ({ person }: { person: Row }) => (
  <OperationButton
    operation="audience.preferences.link"
    action="Copy preferences link"
    kind="small"
    input={person}
    done="Link copied: send it to the person, who can subscribe again there"
    onDone={({ result }) => void navigator.clipboard.writeText(textAt(result, 'url')).catch(() => undefined)}
  />
);

/** What stopped a message, in full, with its record and its fix. */
export function BlockedNotice({ message, channel }: { message: Row; channel: 'email' | 'sms' }) {
  const block = blockOf(message, channel);
  if (!block) return null;
  const { message: words, fix } = rowAt(message, 'blocked');
  return (
    <Notice
      tone="warn"
      action={
        <span class="acts">
          <BlockFix block={block} />
        </span>
      }
    >
      <p>
        <b>{typeof words === 'string' ? words : blockWords(block)}</b>
      </p>
      {typeof fix === 'string' ? (
        <p>
          <Prose text={fix} />
        </p>
      ) : null}
      {block.contactId !== '' && has('audience.contact.get') ? (
        <p>
          <a href={addressOf(['audience', 'contact', block.contactId])}>Show the person and their consents</a>
        </p>
      ) : null}
    </Notice>
  );
}
