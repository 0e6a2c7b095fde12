import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  addressOf,
  BlockFix,
  blockOf,
  blockWords,
  Button,
  Card,
  choiceText,
  exactDay,
  exactTime,
  Facts,
  formAddress,
  has,
  Head,
  heldWords,
  LiftButton,
  LiveButton,
  Loading,
  Notice,
  operationNamed,
  Refusal,
  refusalFor,
  rowsAt,
  Status,
  suppressionWords,
  textAt,
  Time,
  useRead,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { blockingSuppression } from './parties.js';
import { Reply } from './reply.js';
import { texts } from './texts.js';
import { useThread, type Said } from './thread.js';

const pollMs = 4_000;

/** What was texted to and from one number, with the state of each text, and a reply. */
export default function Conversation({ params }: ScreenProps) {
  const number = params['number'] ?? '';
  const [isLive, setLive] = useState(true);
  const { said, error, again, more, problem } = useThread(number, isLive ? pollMs : undefined);
  const contact = useContact(number);
  const suppression = useSuppression(number, isLive ? pollMs : undefined);
  const registration = useRead('sms.registration.get', {}, { enabled: has('sms.registration.get') });
  if (error !== null)
    return (
      <>
        <Head title={number} />
        <Refusal error={error} again={again} />
      </>
    );
  const isRegistered = registration.data?.required !== true || !blocks(registration.data.registration?.stage);
  const lastReceived = said?.filter((each) => each.direction === 'in').at(-1);
  const lastSent = said?.filter((each) => each.direction === 'out' && each.text.from !== null).at(-1);
  return (
    <>
      <Head
        title={nameOf(contact.row) || number}
        beside={
          suppression.row === undefined ? undefined : (
            <Status status={suppression.reason === 'stop' ? 'opted_out' : 'suppressed'} tone="warn" />
          )
        }
        sub={
          <>
            {nameOf(contact.row) === '' ? null : `${number} · `}
            <a href={addressOf(['sms', 'conversation'])}>All conversations</a>
          </>
        }
        actions={<LiveButton isLive={isLive} onChange={setLive} />}
      />
      <div class="two">
        <div class="stack">
          <section class="card" aria-label="Conversation">
            {said === undefined ? <Loading /> : <Texts said={said} more={more} problem={problem} />}
            <Reply
              number={number}
              refused={suppression.refused ?? (isRegistered ? undefined : texts.notRegistered)}
              numbers={{
                theirs: lastReceived?.direction === 'in' ? lastReceived.text.to : undefined,
                ours: lastSent?.direction === 'out' ? (lastSent.text.from ?? undefined) : undefined,
              }}
            />
          </section>
        </div>
        <div class="stack">
          {suppression.row === undefined ? null : <OptOut row={suppression.row} />}
          {isRegistered ? null : (
            <Notice tone="warn">
              <p>{texts.notRegistered}</p>
              <p>
                <a href={addressOf(['sms', 'registration'])}>Show the registration</a>
              </p>
            </Notice>
          )}
          {contact.isKnown ? <Person number={number} contact={contact.row} /> : null}
        </div>
      </div>
    </>
  );
}

/** Texts are blocked without a registration, and after the carriers have refused it. */
const blocks = (stage: string | undefined): boolean => stage === undefined || stage === 'failed';

const nameOf = (contact: Row | undefined): string =>
  [textAt(contact, 'firstName'), textAt(contact, 'lastName')].filter((part) => part !== '').join(' ');

/** The contact with the number; `isKnown` once it was looked for. */
function useContact(number: string): { row: Row | undefined; isKnown: boolean } {
  const isThere = has('audience.contact.list');
  const { data } = useRead('audience.contact.list', { query: number, limit: 10 }, { enabled: isThere });
  return {
    row: rowsAt(data, 'contacts').find((each) => textAt(each, 'phone') === number),
    isKnown: isThere && data !== undefined,
  };
}

interface Suppressed {
  /** The suppression that blocks a reply; undefined if there is none. */
  readonly row: Row | undefined;
  readonly reason: string;
  readonly refused: string | undefined;
}

/** The suppression that blocks a text to the number, and why the reply box is disabled. */
function useSuppression(number: string, pollMs: number | undefined): Suppressed {
  const { data } = useRead(
    'audience.suppression.list',
    { phone: number, channel: 'sms', limit: 20 },
    { enabled: has('audience.suppression.list'), pollMs },
  );
  const row = blockingSuppression(
    rowsAt(data, 'suppressions').map((each) => ({
      ...each,
      reason: textAt(each, 'reason'),
      liftedAt: textAt(each, 'liftedAt'),
    })),
  );
  const reason = textAt(row, 'reason');
  return {
    row,
    reason,
    refused:
      row === undefined
        ? undefined
        : reason === 'stop'
          ? `${texts.optedOut} ${exactDay(textAt(row, 'createdAt'))}. ${texts.onlyStart}`
          : `${texts.suppressed} ${suppressionWords(reason)}, ${exactDay(textAt(row, 'createdAt'))}.`,
  };
}

const OptOut = ({ row }: { row: Row }) => (
  <Card title={textAt(row, 'reason') === 'stop' ? 'Opted out' : 'Suppressed'}>
    <p>
      {suppressionWords(textAt(row, 'reason'))}, <Time at={textAt(row, 'createdAt')} />
      {textAt(row, 'note') === '' ? null : `: ${textAt(row, 'note')}`}
    </p>
    {row['liftable'] === true ? (
      <div class="row">
        <LiftButton suppressionId={textAt(row, 'id')} />
      </div>
    ) : (
      <p class="soft">{texts.onlyStart}</p>
    )}
  </Card>
);

/** Who has the number, with the way to their page. */
function Person({ number, contact }: { number: string; contact: Row | undefined }) {
  const add = operationNamed('audience.contact.upsert');
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
        <>
          <p class="soft">{texts.nobody}</p>
          {add ? (
            <div class="row">
              <Button kind="small" href={formAddress(add.name, { phone: number })} refused={refusalFor(add)}>
                Create contact
              </Button>
            </div>
          ) : null}
        </>
      ) : (
        <Facts
          row={Object.fromEntries(
            ['firstName', 'lastName', 'email', 'phone', 'locale', 'timeZone', 'createdAt'].flatMap(
              (name): [string, unknown][] => (textAt(contact, name) === '' ? [] : [[name, contact[name]]]),
            ),
          )}
        />
      )}
    </Card>
  );
}

interface TextsProps {
  said: readonly Said[];
  more: (() => void) | undefined;
  problem: unknown;
}

/** The texts, oldest first; the newest one is in view when it arrives, unless somebody reads further up. */
function Texts({ said, more, problem }: TextsProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const newest = said.at(-1)?.id;
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  return (
    <div
      ref={box}
      class="thread"
      role="log"
      aria-label="Texts, oldest first"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {problem === undefined ? null : <Refusal error={problem} />}
      {more ? (
        <p class="earlier">
          <Button kind="small" onClick={more}>
            Show earlier texts
          </Button>
        </p>
      ) : null}
      {said.length === 0 ? <p class="soft earlier">{texts.nothingSaid}</p> : null}
      {said.map((each) =>
        each.direction === 'in' ? (
          <div key={each.id} class="said in">
            <span class="unseen">They wrote:</span>
            <p class="bubble">{each.text.body === '' ? <span class="faint">{texts.erased}</span> : each.text.body}</p>
            <p class="faint small">
              <Time at={each.at} />
              {each.text.keyword === null ? null : <span class="tag">{keywordWords[each.text.keyword]}</span>}
            </p>
          </div>
        ) : (
          <div key={each.id} class="said out">
            <span class="unseen">Sent:</span>
            <p class="bubble">
              {each.text.body ?? (
                <span class="faint">
                  {each.text.system
                    ? texts.systemText
                    : each.text.broadcastId === null
                      ? texts.noBody
                      : texts.broadcastText}
                </span>
              )}
            </p>
            <p class="faint small">
              <a href={addressOf(['sms', 'message', each.id])}>
                <Time at={each.at} />
              </a>
              <Status {...stateOf(each.text)} />
              {each.text.broadcastId === null ? null : <span class="tag">broadcast</span>}
              {each.text.automationId === null ? null : <span class="tag">automation</span>}
            </p>
            <Why text={each.text} />
          </div>
        ),
      )}
    </div>
  );
}

const keywordWords = { stop: 'STOP: opted out', start: 'START: opted in again', help: 'HELP' } as const;

type Sent = Extract<Said, { direction: 'out' }>['text'];

const stateOf = ({ status, deliveredAt }: Sent): { status: string } => ({
  status: status === 'sent' && deliveredAt !== null ? 'delivered' : status,
});

/** Why a text waits, was not sent or did not arrive, with the button for the fix. */
function Why({ text }: { text: Sent }) {
  const block = blockOf({ ...text }, 'sms');
  if (block)
    return (
      <p class="why-not small">
        <span title={text.blocked?.message}>{blockWords(block)}</span> <BlockFix block={block} />
      </p>
    );
  const waits = heldWords({ ...text }) || (text.status === 'queued' && text.sendAfter !== null ? texts.waits : '');
  if (waits !== '')
    return (
      <p class="faint small">
        {waits} {text.sendAfter === null ? '' : exactTime(text.sendAfter)}
      </p>
    );
  if (text.error === null) return null;
  return (
    <p class="why-not small">
      {[text.error.code === null ? '' : choiceText(text.error.code), text.error.message]
        .filter((part) => part !== '')
        .join(': ')}
    </p>
  );
}
