import { useEffect, useRef, useState } from 'preact/hooks';
import {
  acting,
  EmailPreview,
  has,
  isSvcError,
  Loading,
  Notice,
  Refusal,
  SelectInput,
  TextInput,
  useLater,
  useRead,
  type ResultOf,
} from '#core/surfaces/console/kit/index.js';
import { ownVariables, variablesOf, type Texts } from './template-texts.js';
import { templateTexts } from './texts.js';

/** What the preview found out, for the editor beside it. */
export interface PreviewState {
  /** Variables without a test value. */
  readonly missing: readonly string[];
  readonly values?: Readonly<Record<string, string>>;
  /** Of the texts; line 0: the server names no place. */
  readonly problem?:
    { readonly part: string; readonly line: number; readonly column: number; readonly text: string } | undefined;
  readonly mail?: ResultOf<'email.template.preview'> | undefined;
}

interface PreviewProps {
  name: string;
  locale: string;
  texts: Texts;
  /** Those that the saved texts use. */
  variables: readonly string[];
  onState: (state: PreviewState) => void;
}

const kilobytes = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const gmailCut = 102_000;

/** The email that the texts make, as a contact would receive it. */
export function TemplatePreview({ name, locale, texts, variables, onState }: PreviewProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => keptValues(name));
  const [contactId, setContact] = useState('');
  const [topic, setTopic] = useState('');
  const canChoose = has('audience.contact.list');
  const contacts = useRead('audience.contact.list', { limit: 30 }, { enabled: canChoose });
  const topics = useRead('audience.topic.list', { limit: 100 }, { enabled: canChoose });
  const settled = useLater({ texts, values });
  const { subject, html, text } = settled.texts;
  const isComplete = subject !== '' && (html !== '' || text !== '');
  const { data, error, again } = useRead(
    'email.template.preview',
    {
      content: { subject, html: html === '' ? null : html, text: text === '' ? null : text },
      layout: true,
      locale,
      variables: variablesOf(settled.values),
      ...(topic === '' ? {} : { topic }),
      ...(contactId === '' ? {} : { contactId }),
    },
    { enabled: isComplete },
  );
  // While the texts have a problem, the last email stays.
  const last = useRef<ResultOf<'email.template.preview'>>(undefined);
  if (data && !error) last.current = data;
  const mail = isComplete ? last.current : undefined;
  const problem = !isComplete
    ? {
        part: subject === '' ? 'subject' : '',
        line: 0,
        column: 0,
        text: subject === '' ? 'An email needs a subject.' : 'An email needs HTML or a plain text.',
      }
    : error
      ? problemOf(error)
      : undefined;
  const missing = error || !data ? [] : data.missing;
  useEffect(
    () => onState({ missing, values, problem, mail: error ? undefined : data }),
    [JSON.stringify(missing), JSON.stringify(values), JSON.stringify(problem), data, error],
  );
  useEffect(() => sessionStorage.setItem(valuesName(name), JSON.stringify(values)), [values]);
  const named = ownVariables([...variables, ...missing, ...Object.keys(values)]);
  return (
    <section class="card editor" aria-label="Preview">
      {canChoose ? (
        <div class="in cols">
          <SelectInput
            label="Preview as"
            value={contactId}
            onChange={setContact}
            options={[
              { value: '', text: 'Nobody in particular' },
              ...(contacts.data?.contacts ?? []).map((each) => ({
                value: each.id,
                text: [each.firstName, each.lastName, each.email].filter((part) => part !== null).join(' '),
              })),
            ]}
            from={contacts}
          />
          <SelectInput
            label="Sent on topic"
            value={topic}
            onChange={setTopic}
            options={[
              { value: '', text: 'No topic: no unsubscribe link' },
              ...(topics.data?.topics ?? []).map((each) => ({ value: each.key, text: each.name })),
            ]}
            from={topics}
          />
        </div>
      ) : null}
      {named.length === 0 ? null : (
        <details class="more in" open>
          <summary>Test values of the variables</summary>
          <div class="cols">
            {named.map((variable) => (
              <TextInput
                key={variable}
                label={variable}
                value={values[variable] ?? ''}
                onInput={(value) => setValues({ ...values, [variable]: value })}
                error={missing.includes(variable) ? 'Has no value yet.' : undefined}
              />
            ))}
          </div>
        </details>
      )}
      {error && (problem === undefined || (problem.line === 0 && problem.part === '')) ? (
        <div class="in">
          <Refusal error={error} again={again} />
        </div>
      ) : null}
      {mail ? (
        <EmailPreview html={mail.html} text={mail.text}>
          <p class="mail-subject">
            <b>{mail.subject}</b>
          </p>
        </EmailPreview>
      ) : isComplete && !error ? (
        <Loading />
      ) : null}
      {mail ? (
        <footer class="problems">
          <span class="faint">{kilobytes.format(mail.bytes / 1000)} kB</span>
          {mail.bytes > gmailCut ? <Notice tone="warn">Gmail cuts emails off at about 102 kB.</Notice> : null}
          {missing.length > 0 ? (
            <span class="st warn">{`${templateTexts.testMissing}: ${missing.join(', ')}`}</span>
          ) : null}
        </footer>
      ) : null}
    </section>
  );
}

const valuesName = (name: string): string => `svc.values.${acting.value?.environmentId ?? ''}.${name}`;

function keptValues(name: string): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(valuesName(name)) ?? '{}');
    return Object.fromEntries(
      Object.entries(typeof value === 'object' && value !== null ? value : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  } catch {
    return {};
  }
}

/** The problem of the texts that a refusal names; undefined if it is about something else, such as the connection. */
function problemOf(error: unknown): PreviewState['problem'] {
  if (!isSvcError(error)) return undefined;
  const { part, line, column, field } = error.details;
  const [, ofField] = /^(?:content\.)?(subject|html|text)$/.exec(typeof field === 'string' ? field : '') ?? [];
  if (error.code !== 'template_invalid' && ofField === undefined) return undefined;
  return {
    part: typeof part === 'string' ? (part.split(' ')[0] ?? '') : (ofField ?? ''),
    line: typeof line === 'number' ? line : 0,
    column: typeof column === 'number' ? column : 1,
    text: error.message,
  };
}
