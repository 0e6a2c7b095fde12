import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  call,
  Card,
  download,
  Facts,
  has,
  Head,
  Labelled,
  Loading,
  Notice,
  onSubmitKey,
  OperationButton,
  Refusal,
  refusalFor,
  rowsAt,
  Status,
  textAt,
  Time,
  useAction,
  useAddress,
  useDraft,
  useRead,
  type ResultOf,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { asTyped } from './as-typed.js';
import { inboxTexts } from './compose-texts.js';

type Inbound = ResultOf<'email.inbound.get'>['inbound'];

/** A mail of the conversation. */
interface Said {
  readonly id: string;
  readonly isOurs: boolean;
  readonly at: string;
  readonly subject: string;
  readonly row: Row;
}

const pageSize = 50;

/** Everything that was written to and from one person, with an answer that stays in their thread. */
export default function Conversation({ params }: ScreenProps) {
  const inboundId = params['id'] ?? '';
  const { data, error, again } = useRead('email.inbound.get', { inboundId });
  const from = data?.inbound.from ?? '';
  const received = useRead('email.inbound.list', { from, limit: pageSize }, { enabled: from !== '' });
  const sent = useRead('email.message.list', { to: from, limit: pageSize }, { enabled: from !== '' });
  if (error)
    return (
      <>
        <Head title="Received mail" />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined || received.data === undefined) return <Loading />;
  const said: readonly Said[] = [
    ...rowsAt(received.data, 'inbound').map((row) => ({
      id: textAt(row, 'inboundId'),
      isOurs: false,
      at: textAt(row, 'receivedAt'),
      subject: textAt(row, 'subject'),
      row,
    })),
    ...rowsAt(sent.data, 'messages').map((row) => ({
      id: textAt(row, 'messageId'),
      isOurs: true,
      at: textAt(row, 'createdAt'),
      subject: textAt(row, 'subject'),
      row,
    })),
  ].sort((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id));
  const last = received.data.inbound[0] ?? data.inbound;
  return (
    <>
      <Head
        title={from}
        sub={
          <>
            {last.subject ?? 'No subject'} · <a href={addressOf(['email', 'inbound'])}>All received mail</a>
          </>
        }
      />
      <div class="two">
        <section class="card" aria-label="Conversation">
          <div class="letters" role="log" aria-label="Mail, oldest first" tabIndex={0}>
            {said.map((each) => (
              <Mail key={each.id} said={each} isOpen={each.id === inboundId || each.id === said.at(-1)?.id} />
            ))}
          </div>
          <Answer to={last} />
        </section>
        <div class="stack">
          <Sender email={from} />
          <Card title="This mail">
            <Facts
              row={{
                to: data.inbound.envelopeTo,
                received: data.inbound.receivedAt,
                spf: data.inbound.spam.spf,
                dkim: data.inbound.spam.dkim,
                dmarc: data.inbound.spam.dmarc,
              }}
            />
            <Delete inboundId={inboundId} />
          </Card>
        </div>
      </div>
    </>
  );
}

function Delete({ inboundId }: { inboundId: string }) {
  const { go } = useAddress();
  return (
    <div class="row">
      <OperationButton
        operation="email.inbound.delete"
        action="Delete mail"
        kind="danger"
        input={{ inboundId }}
        done="Mail deleted"
        onDone={() => go(addressOf(['email', 'inbound']))}
      >
        <p>The mail and its files are deleted. This cannot be undone.</p>
      </OperationButton>
    </div>
  );
}

/** One mail; what it says is read when it is opened. */
function Mail({ said: { id, isOurs, at, subject, row }, isOpen }: { said: Said; isOpen: boolean }) {
  const [shown, show] = useState(isOpen);
  return (
    <details
      class={`letter ${isOurs ? 'out' : 'in'}`}
      open={shown}
      onToggle={({ currentTarget }) => show(currentTarget.open)}
    >
      <summary>
        <b>{isOurs ? 'You' : 'They'}</b> <span>{subject || 'No subject'}</span>
        {isOurs ? <Status status={textAt(row, 'status')} /> : null}
        {row['automatic'] === true ? <span class="tag">automatic</span> : null}
        <span class="faint right">
          <Time at={at} />
        </span>
      </summary>
      {shown ? isOurs ? <Ours messageId={id} /> : <Theirs inboundId={id} /> : null}
    </details>
  );
}

function Theirs({ inboundId }: { inboundId: string }) {
  const { data, error } = useRead('email.inbound.get', { inboundId });
  if (error) return <Refusal error={error} />;
  if (data === undefined) return <Loading lines={3} />;
  return (
    <>
      {data.inbound.automatic ? <p class="faint small">{inboxTexts.automatic}</p> : null}
      {data.inbound.spam.dmarc === 'pass' ? null : <p class="faint small">{inboxTexts.forged}</p>}
      <Written text={data.text ?? ''} />
      {data.attachments.length === 0 ? null : (
        <p class="row">
          {data.attachments.map(({ attachmentId, filename, bytes }) => (
            <Attached key={attachmentId} inboundId={inboundId} id={attachmentId} filename={filename} bytes={bytes} />
          ))}
        </p>
      )}
    </>
  );
}

interface AttachedProps {
  inboundId: string;
  id: string;
  filename: string;
  bytes: number;
}

/** A file that they sent. It is saved, never opened here: its type and content are theirs. */
function Attached({ inboundId, id, filename, bytes }: AttachedProps) {
  const [problem, setProblem] = useState<unknown>();
  const save = async (): Promise<void> => {
    setProblem(undefined);
    await call('email.inbound.attachment.get', { inboundId, attachmentId: id })
      .then(({ result }) => {
        const content = Uint8Array.from(atob(textAt(result, 'content')), (each) => each.charCodeAt(0));
        download(filename, content, 'application/octet-stream');
      })
      .catch(setProblem);
  };
  return (
    <>
      <Button kind="small" onClick={save}>
        {`${filename}, ${Math.max(1, Math.round(bytes / 1_000)).toLocaleString('en')} KB`}
      </Button>
      {problem === undefined ? null : <Refusal error={problem} />}
    </>
  );
}

function Ours({ messageId }: { messageId: string }) {
  const { data, error } = useRead('email.message.get', { messageId });
  if (error) return <Refusal error={error} />;
  if (data === undefined) return <Loading lines={3} />;
  return (
    <>
      <Written text={data.content?.text ?? ''} />
      <p class="small">
        <a href={addressOf(['email', 'message', messageId])}>Show the email and its delivery</a>
      </p>
    </>
  );
}

/** Where a mail program quotes what was written before: the rest is folded away. */
const quoteAt = (text: string): number => {
  const at = text.search(/^(?:>|On .{0,200} wrote:|Am .{0,200} schrieb|Le .{0,200} a écrit|-{2,} ?Original)/m);
  return at <= 0 ? text.length : at;
};

function Written({ text }: { text: string }) {
  if (text.trim() === '') return <p class="faint">{inboxTexts.noText}</p>;
  const at = quoteAt(text);
  return (
    <>
      <p class="written">{text.slice(0, at).trimEnd()}</p>
      {at === text.length ? null : (
        <details class="more">
          <summary>Quoted</summary>
          <p class="written faint">{text.slice(at).trimEnd()}</p>
        </details>
      )}
    </>
  );
}

const replySubject = (subject: string | null): string =>
  /^re:/i.test(subject ?? '') ? (subject ?? '') : `Re: ${subject ?? ''}`.trim();

/** Writes an answer to the newest mail. */
function Answer({ to }: { to: Inbound }) {
  const draft = useDraft<string>(`answer ${to.inboundId}`);
  const { busy, problem, run } = useAction();
  const text = draft.value ?? '';
  const refused = refusalFor('email.send') ?? (to.from === '' ? 'It has no sender to answer.' : undefined);
  const isEmpty = text.trim() === '';
  const send = async (): Promise<void> => {
    if (refused !== undefined || isEmpty || busy) return;
    const result = await run(
      'email.send',
      { to: to.from, subject: asTyped(replySubject(to.subject)), text: asTyped(text), inReplyTo: to.inboundId },
      'Answer accepted.',
    );
    if (result) draft.update((now) => (now === text ? undefined : now));
  };
  return (
    <form
      class="answer stack tight"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {problem === undefined ? null : <Refusal error={problem} again={() => void send()} />}
      {to.automatic ? (
        <Notice tone="warn">
          <p>{inboxTexts.automatic}</p>
        </Notice>
      ) : null}
      <Labelled label="Answer" hint={`${replySubject(to.subject)}, to ${to.from}. ${inboxTexts.reply}`}>
        {(attributes) => (
          <textarea
            class="input"
            rows={6}
            {...attributes}
            readOnly={refused !== undefined}
            value={text}
            onInput={({ currentTarget: { value } }) => draft.edit(value === '' ? undefined : value)}
            onKeyDown={onSubmitKey(() => void send())}
          />
        )}
      </Labelled>
      <div class="row end">
        <Button
          kind="main"
          icon="send"
          submit
          busy={busy}
          refused={refused ?? (isEmpty ? 'Write the answer first.' : undefined)}
        >
          {busy ? 'Sending…' : 'Send answer'}
        </Button>
      </div>
    </form>
  );
}

/** The contact with the sender's address. */
function Sender({ email }: { email: string }) {
  const isThere = has('audience.contact.list');
  const { data } = useRead('audience.contact.list', { query: email, limit: 5 }, { enabled: isThere && email !== '' });
  if (!isThere || data === undefined) return null;
  const contact = rowsAt(data, 'contacts').find((each) => textAt(each, 'email').toLowerCase() === email.toLowerCase());
  return (
    <Card
      title="Person"
      beside={
        contact === undefined ? undefined : (
          <a class="right" href={addressOf(['audience', 'contact', textAt(contact, 'id')])}>
            Show the person
          </a>
        )
      }
    >
      {contact === undefined ? (
        <p class="soft">No contact has this address.</p>
      ) : (
        <Facts
          row={Object.fromEntries(
            ['firstName', 'lastName', 'phone', 'locale', 'createdAt'].flatMap((name): [string, unknown][] =>
              textAt(contact, name) === '' ? [] : [[name, contact[name]]],
            ),
          )}
        />
      )}
    </Card>
  );
}
