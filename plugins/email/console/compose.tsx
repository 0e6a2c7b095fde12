import { useEffect, useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  CallDrawer,
  Card,
  has,
  Head,
  operationNamed,
  Refusal,
  refusalFor,
  rowsAt,
  SelectInput,
  Tabs,
  textAt,
  TextInput,
  useAction,
  useAddress,
  useFields,
  useRead,
  type InputOf,
} from '#core/surfaces/console/kit/index.js';
import { ComposeChecks } from './compose-checks.js';
import { Files, type AttachedFile } from './compose-files.js';
import { Recipients } from './compose-recipients.js';
import { composeTexts } from './compose-texts.js';
import { asTyped } from './as-typed.js';
import { VisualEditor } from './visual/index.js';

const modes = ['Write', 'Use a template', 'HTML'] as const;
type Mode = (typeof modes)[number];

interface Letter {
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: string;
  subject: string;
  mode: Mode;
  html: string;
  template: string;
  variables: Readonly<Record<string, string>>;
  topic: string;
  sendAfter: string;
  files: readonly AttachedFile[];
}

const blank: Letter = {
  to: [],
  cc: [],
  bcc: [],
  replyTo: '',
  subject: '',
  mode: 'Write',
  html: '',
  template: '',
  variables: {},
  topic: '',
  sendAfter: '',
  files: [],
};

/** Files would fill the tab's storage. */
const isKept = ({ files }: Letter): boolean => files.length === 0;

/** The call of a letter. Typed text is sent unchanged; a template is filled in with its values. */
function inputOf(letter: Letter): InputOf<'email.send'> {
  const { to, cc, bcc, replyTo, subject, mode, html, template, variables, topic, sendAfter, files } = letter;
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  return {
    to: [...to],
    ...(cc.length === 0 ? {} : { cc: [...cc] }),
    ...(bcc.length === 0 ? {} : { bcc: [...bcc] }),
    ...(replyTo.trim() === '' ? {} : { replyTo: replyTo.trim() }),
    ...(subject.trim() === '' ? {} : { subject: asTyped(subject.trim()) }),
    ...(mode === 'Use a template'
      ? { template, ...(Object.keys(given).length === 0 ? {} : { variables: given }) }
      : { html: asTyped(html) }),
    ...(topic === '' ? {} : { topic }),
    ...(sendAfter === '' ? {} : { sendAfter: new Date(sendAfter).toISOString() }),
    ...(files.length === 0
      ? {}
      : { attachments: files.map(({ filename, contentType, content }) => ({ filename, contentType, content })) }),
  };
}

function lackingOf({ to, subject, mode, html, template, topic }: Letter): string | undefined {
  if (to.length === 0) return 'Choose who gets it first.';
  if (topic !== '' && to.length > 1) return 'With a topic there is exactly one recipient.';
  if (mode === 'Use a template') return template === '' ? 'Choose a template first.' : undefined;
  if (subject.trim() === '') return 'Write a subject first.';
  return html.replaceAll(/<(?!img)[^>]*>|&nbsp;|\s/g, '') === '' ? 'Write the email first.' : undefined;
}

/** Writes to one person or a few: like a mail program, with what decides whether it arrives beside it. */
export default function Compose() {
  const { query, go } = useAddress();
  const { values, set, clear } = useFields<Letter>('compose', blank, isKept);
  const [more, setMore] = useState(values.cc.length > 0 || values.bcc.length > 0 || values.replyTo !== '');
  const [later, setLater] = useState(values.sendAfter !== '');
  const [edition, setEdition] = useState(0);
  const { busy, problem, run } = useAction();
  const contactId = query['contactId'] ?? '';
  const asked = useRead(
    'audience.contact.get',
    { contactId },
    { enabled: contactId !== '' && has('audience.contact.get') },
  );
  const address = textAt(asked.data, 'contact.email');
  useEffect(() => {
    if (address === '') return;
    if (!values.to.includes(address)) set({ to: [...values.to, address] });
    go(addressOf(['email', 'compose']), true);
  }, [address]);
  const sender = useRead('email.sender.get', {}, { enabled: has('email.sender.get') });
  const templates = useRead('email.template.list', { limit: 100 }, { enabled: values.mode === 'Use a template' });
  const topics = useRead('audience.topic.list', { limit: 100 }, { enabled: has('audience.topic.list') });
  const send = operationNamed('email.send');
  const refused = refusalFor('email.send');
  const lacking = lackingOf(values);
  const input = inputOf(values);
  if (!send) return null;

  const submit = async (): Promise<void> => {
    if (refused !== undefined || lacking !== undefined) return;
    const result = await run('email.send', input, composeTexts.sent);
    if (!result) return;
    clear();
    go(addressOf(['email', 'message', result.messageId]));
  };
  const from = [
    textAt(sender.data, 'sender.fromName'),
    textAt(sender.data, 'sender.from') || textAt(sender.data, 'ownAddress'),
  ]
    .filter((part) => part !== '')
    .join(', ');
  return (
    <>
      <Head
        title="New email"
        sub={composeTexts.sub}
        actions={
          <>
            <Button
              kind="bare"
              onClick={() => {
                clear();
                setEdition(edition + 1);
              }}
            >
              Discard
            </Button>
            <Button
              onClick={() => {
                setLater(!later);
                if (later) set({ sendAfter: '' });
              }}
            >
              {later ? 'Send now instead' : 'Send later'}
            </Button>
            <Button kind="main" icon="send" busy={busy} refused={refused ?? lacking} onClick={() => void submit()}>
              {busy ? 'Sending…' : values.sendAfter === '' ? 'Send email' : 'Schedule email'}
            </Button>
          </>
        }
      />
      {problem === undefined ? null : <Refusal error={problem} again={() => void submit()} />}
      <div class="two">
        <section class="card mail-form" aria-label="The email">
          <div class="mail-row">
            <span class="label">From</span>
            <span>
              {from}{' '}
              <a class="b small bare" href={addressOf(['email', 'sender'])}>
                Change
              </a>
            </span>
          </div>
          <Recipients label="To" value={values.to} onChange={(to) => set({ to })} hint={composeTexts.to} />
          {more ? (
            <>
              <Recipients label="Cc" value={values.cc} onChange={(cc) => set({ cc })} />
              <Recipients label="Bcc" value={values.bcc} onChange={(bcc) => set({ bcc })} />
              <Line label="Reply to" value={values.replyTo} onInput={(replyTo) => set({ replyTo })} />
            </>
          ) : (
            <div class="mail-row">
              <span />
              <Button kind="bare" onClick={() => setMore(true)}>
                Cc, Bcc, reply to
              </Button>
            </div>
          )}
          <Line label="Subject" value={values.subject} onInput={(subject) => set({ subject })} />
          <div class="in stack">
            <Tabs label="How to write it" tabs={modes} chosen={values.mode} onChoose={(mode) => set({ mode })} />
            {values.mode === 'Write' ? (
              <VisualEditor
                key={edition}
                label="The email"
                locale="en"
                value={values.html}
                onChange={(html) => set({ html })}
                onInserter={() => undefined}
                names={[]}
              />
            ) : values.mode === 'HTML' ? (
              <TextInput
                label="HTML"
                value={values.html}
                onInput={(html) => set({ html })}
                lines={14}
                mono
                hint={composeTexts.writeHint}
              />
            ) : (
              <>
                <SelectInput
                  label="Template"
                  value={values.template}
                  from={templates}
                  options={[
                    { value: '', text: 'Choose a template' },
                    ...rowsAt(templates.data, 'templates')
                      .filter((row) => textAt(row, 'publishedVersion') !== '')
                      .map((row) => ({ value: textAt(row, 'template'), text: textAt(row, 'template') })),
                  ]}
                  onChange={(template) => set({ template, variables: {} })}
                />
                {values.template === '' ? null : (
                  <TemplateValues
                    template={values.template}
                    values={values.variables}
                    onChange={(variables) => set({ variables })}
                  />
                )}
              </>
            )}
            {later ? (
              <TextInput
                label="Send at"
                type="datetime-local"
                value={values.sendAfter}
                onInput={(sendAfter) => set({ sendAfter })}
              />
            ) : null}
            {has('audience.topic.list') ? (
              <SelectInput
                label="What it is about"
                value={values.topic}
                options={[
                  { value: '', text: composeTexts.noTopic },
                  ...rowsAt(topics.data, 'topics').map((row) => ({
                    value: textAt(row, 'key'),
                    text: textAt(row, 'name'),
                  })),
                ]}
                onChange={(topic) => set({ topic })}
                hint={composeTexts.topicHint}
              />
            ) : null}
            <Files files={values.files} onChange={(files) => set({ files })} />
          </div>
        </section>
        <div class="stack">
          <ComposeChecks to={[...values.to, ...values.cc, ...values.bcc]} topic={values.topic} />
          <Card title="The request">
            <CallDrawer
              operation={send}
              input={{
                ...input,
                ...(values.files.length === 0
                  ? {}
                  : { attachments: values.files.map(({ filename }) => ({ filename })) }),
              }}
            />
          </Card>
        </div>
      </div>
    </>
  );
}

function Line({ label, value, onInput }: { label: string; value: string; onInput: (value: string) => void }) {
  return (
    <label class="mail-row">
      <span class="label">{label}</span>
      <input
        type="text"
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

interface ValuesProps {
  template: string;
  values: Readonly<Record<string, string>>;
  onChange: (values: Readonly<Record<string, string>>) => void;
}

/** The variables of a template, each with its value. */
function TemplateValues({ template, values, onChange }: ValuesProps) {
  const { data, error, again } = useRead('email.template.preview', { template, draft: false, variables: values });
  const names = [...new Set([...Object.keys(values), ...(data?.missing ?? [])])].filter((name) => !/[.[]/.test(name));
  return (
    <>
      {error ? <Refusal error={error} again={again} /> : null}
      {names.length === 0 ? null : <p class="soft">{composeTexts.variables}</p>}
      {names.map((name) => (
        <TextInput
          key={name}
          label={name}
          value={values[name] ?? ''}
          onInput={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
      {data === undefined ? null : (
        <p class="soft">
          Subject: <b>{data.subject}</b>
        </p>
      )}
    </>
  );
}
