import { useId, useRef } from 'preact/hooks';
import {
  acting,
  Button,
  counted,
  has,
  Labelled,
  money,
  Notice,
  onSubmitKey,
  Refusal,
  refusalFor,
  useAction,
  useDraft,
  useLater,
  useRead,
  type ResultOf,
} from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

interface ReplyProps {
  number: string;
  /** Why the person must not be texted. */
  refused: string | undefined;
  /** The number that they wrote to last, and the one that the last text to them was sent from. */
  numbers: { readonly theirs: string | undefined; readonly ours: string | undefined };
}

/** What is typed is what is sent: a text that looks like a variable is passed as the value of one. */
const contentOf = (text: string): { body: string; variables?: Record<string, unknown> } =>
  /\{\{|\{%/.test(text) ? { body: '{{ text }}', variables: { text } } : { body: text };

/** Writes a text to a number. It counts segments as svc does, and says why it must not be sent. */
export function Reply({ number, refused, numbers }: ReplyProps) {
  const draft = useDraft<string>(`reply ${number}`);
  const text = draft.value ?? '';
  const { busy, problem, run } = useAction();
  const box = useRef<HTMLFormElement>(null);
  const later = useLater(text, 250);
  const isEmpty = text.trim() === '';
  const settings = useRead('sms.settings.get', {}, { enabled: has('sms.settings.get') });
  const estimate = useRead(
    'sms.estimate',
    { to: number, ...contentOf(later) },
    { enabled: has('sms.estimate') && later.trim() !== '' },
  );
  const count = isEmpty || later.trim() === '' ? undefined : estimate.data;
  const most = settings.data?.maxSegments;
  const reason = refusalFor('sms.send') ?? refused;
  const id = useId();
  const isLong = count !== undefined && most !== undefined && count.segments > most;
  const tooLong = isLong ? `${texts.tooLong} ${counted(most, 'segment')}.` : undefined;
  const fromAnother = numbers.theirs !== undefined && numbers.ours !== undefined && numbers.theirs !== numbers.ours;

  const send = async (): Promise<void> => {
    if (reason !== undefined || tooLong !== undefined || isEmpty || busy) return;
    if (!(await run('sms.send', { to: number, ...contentOf(text) }, 'Text accepted.'))) return;
    draft.update((now) => (now === text ? undefined : now));
    box.current?.querySelector('textarea')?.focus();
  };

  return (
    <form
      ref={box}
      class="reply stack tight"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {problem === undefined ? null : <Refusal error={problem} again={() => void send()} />}
      {reason === undefined ? null : (
        <Notice tone="warn">
          <p id={`${id}-refused`}>{reason}</p>
        </Notice>
      )}
      <Labelled label="Reply" error={tooLong}>
        {(attributes) => (
          <textarea
            class="input"
            rows={3}
            {...attributes}
            aria-describedby={[attributes['aria-describedby'], `${id}-count`].filter(Boolean).join(' ')}
            readOnly={reason !== undefined}
            value={text}
            onInput={({ currentTarget: { value } }) => draft.edit(value === '' ? undefined : value)}
            onKeyDown={onSubmitKey(() => void send())}
          />
        )}
      </Labelled>
      <div class="row">
        <p class="faint small count" id={`${id}-count`}>
          {count === undefined ? texts.sendKey : <Count count={count} />}
        </p>
        <span class="right" />
        <Button kind="main" icon="send" submit busy={busy} refused={reason ?? tooLong}>
          {busy ? 'Sending…' : 'Send text'}
        </Button>
      </div>
      {fromAnother ? (
        <p class="faint small">
          They wrote to {numbers.theirs}. {texts.fromAnother} {numbers.ours}.
        </p>
      ) : null}
      {acting.value?.kind === 'test' ? <p class="faint small">{texts.testOnly}</p> : null}
    </form>
  );
}

/** How long a text is, and what makes it longer. */
const Count = ({ count: { characters, segments, encoding, forcedBy, price } }: { count: ResultOf<'sms.estimate'> }) => (
  <>
    {counted(segments, 'segment')}, {counted(characters, 'character')} ({encoding})
    {price === null || Number(price.amount) === 0 ? '' : `, ${money(price)}`}
    {forcedBy.length === 0 ? null : (
      <>
        . {texts.forcedBy} {forcedBy.slice(0, 5).join(' ')}
      </>
    )}
  </>
);
