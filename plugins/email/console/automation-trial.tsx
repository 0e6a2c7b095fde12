import { useId } from 'preact/hooks';
import {
  choiceText,
  Dialog,
  EmailPreview,
  Labelled,
  Notice,
  Refusal,
  TextInput,
  Time,
  useFields,
  useLater,
  useRead,
  type ResultOf,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { stepAt, stepText } from './steps.js';
import { automationTexts } from './texts.js';

interface TrialProps {
  automationId: string;
  /** As they are on screen, saved or not. */
  steps: readonly Row[];
  onClose: () => void;
}

type Trial = NonNullable<ResultOf<'email.automation.get'>['trial']>;

const contextOf = (text: string): Row | undefined => {
  if (text.trim() === '') return {};
  const pairs = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => /^([^=]+?)\s*=\s*(.*)$/.exec(line));
  if (pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', valueOf(pair?.[2] ?? '')]));
};

/** Numbers, true and false as such, so that conditions compare them as those of a recorded event. */
const valueOf = (text: string): unknown =>
  text === 'true' ? true : text === 'false' ? false : /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;

/** Plays an automation through with one person: the way, the times and the mails. Nothing is sent. */
export function TrialDialog({ automationId, steps, onClose }: TrialProps) {
  const id = useId();
  const { values, set } = useFields(`automation ${automationId} trial`, { person: '', event: '' });
  const query = useLater(values.person.trim());
  const people = useRead('audience.contact.list', { limit: 10, ...(query === '' ? {} : { query }) }, { enabled: true });
  const found = people.data?.contacts ?? [];
  const nameOf = ({ email, phone, externalId, id: contactId }: (typeof found)[number]): string =>
    email ?? phone ?? externalId ?? contactId;
  const person =
    found.find((each) => nameOf(each) === query) ?? (query !== '' && found.length === 1 ? found[0] : undefined);
  const context = contextOf(useLater(values.event));
  const trial = useRead(
    'email.automation.get',
    { automationId, steps: [...steps], tryWith: { contactId: person?.id ?? '', context: { ...context } } },
    { enabled: person !== undefined && context !== undefined && steps.length > 0 },
  );
  const shown = person && context ? trial.data?.trial : undefined;
  return (
    <Dialog title="Try with a person" onClose={onClose}>
      <div class="stack">
        <p class="soft">{automationTexts.trial}</p>
        <Labelled label="Person" hint="The beginning of their name, address or number.">
          {(attributes) => (
            <>
              <input
                class="input"
                type="text"
                autocomplete="off"
                list={id}
                {...attributes}
                value={values.person}
                onInput={({ currentTarget }) => set({ person: currentTarget.value })}
              />
              <datalist id={id}>
                {found.map((each) => (
                  <option value={nameOf(each)}>{[each.firstName, each.lastName].filter(Boolean).join(' ')}</option>
                ))}
              </datalist>
            </>
          )}
        </Labelled>
        <TextInput
          label="Properties of the event"
          value={values.event}
          onInput={(event) => set({ event })}
          lines={2}
          placeholder="plan = pro"
          hint="One on each line, such as plan = pro. Without any, the event has none."
          error={context === undefined ? 'Write each property as name = value.' : undefined}
        />
        <div aria-live="polite" class="stack">
          {people.error ? <Refusal error={people.error} again={people.again} /> : null}
          {trial.error && person ? <Refusal error={trial.error} again={trial.again} /> : null}
          {query !== '' && !people.loading && !person ? <p class="soft">{automationTexts.nobody}</p> : null}
          {shown ? <Way trial={shown} steps={steps} /> : null}
        </div>
      </div>
    </Dialog>
  );
}

const tones: Readonly<Record<string, string>> = { sent: 'good', set: 'good', suppressed: 'warn', failed: 'bad' };
const outcomes: Readonly<Record<string, string>> = {
  sent: 'is sent',
  suppressed: 'is not sent',
  then: 'yes',
  else: 'no',
  waited: 'then it goes on',
};

function Way({ trial, steps }: { trial: Trial; steps: readonly Row[] }) {
  return (
    <>
      {trial.enrolled ? null : <Notice tone="warn">{automationTexts.notEnrolled}</Notice>}
      <ol class="line" aria-label="The way">
        {trial.steps.map(({ step: place, at, outcome, reason, blocked, detail, message }) => {
          const step = stepAt(steps, place);
          const { title, detail: about } = step ? stepText(step) : { title: place, detail: '' };
          return (
            <li key={place} class={tones[outcome] ?? ''}>
              <b>{`${title}${title === 'If' ? ` ${about}` : ''}: ${outcomes[outcome] ?? choiceText(outcome)}`}</b>
              <p>
                <Time at={at} />
                {reason === null ? null : `, ${choiceText(reason)}`}
              </p>
              {blocked ? <p>{blocked.message}</p> : null}
              {detail === null ? null : <p>{detail}</p>}
              {message ? (
                <details>
                  <summary>{message.subject ?? message.text ?? 'Show the message'}</summary>
                  {message.html === null && message.text === null ? null : (
                    <EmailPreview html={message.html} text={message.text} />
                  )}
                </details>
              ) : null}
            </li>
          );
        })}
      </ol>
    </>
  );
}
