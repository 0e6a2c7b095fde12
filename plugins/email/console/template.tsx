import { useRef, useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  CodeEditor,
  Dialog,
  Head,
  Loading,
  Notice,
  Refusal,
  refusalFor,
  SaveProblem,
  Tabs,
  TextInput,
  Time,
  useAction,
  useAddress,
  useEdits,
  useGeneration,
  useRead,
  type CodeProblem,
  type ResultOf,
  type ScreenProps,
  OperationButton,
} from '#core/surfaces/console/kit/index.js';
import { ChangedTexts } from './changed-texts.js';
import { InsertPicture } from './pictures.js';
import { TemplatePreview, type PreviewState } from './template-preview.js';
import {
  changedLocales,
  contactNames,
  localesOf,
  savedTexts,
  textsIn,
  type Locales,
  type Texts,
} from './template-texts.js';
import { TestMail } from './test-mail.js';
import { stateOf } from './templates.js';
import { TemplateChecks } from './template-checks.js';
import { AddLocale, languageName } from './template-languages.js';
import { templateTexts } from './texts.js';
import { Versions } from './versions.js';
import { VisualEditor } from './visual/index.js';

type Reply = ResultOf<'email.template.get'>;

/** A template: its texts in each language beside what recipients will see. */
export default function TemplateScreen({ params: { template = '' } }: ScreenProps) {
  const { data, error, again } = useRead('email.template.get', { template });
  if (error)
    return (
      <>
        <Head title={template} />
        <Refusal error={error} again={again} />
      </>
    );
  if (!data) return <Loading />;
  return <TemplateEditor key={template} reply={data} />;
}

const forms = ['Visual', 'HTML', 'Plain text'] as const;

function TemplateEditor({ reply }: { reply: Reply }) {
  const { template } = reply;
  const name = template.template;
  const { go } = useAddress();
  const saved = savedTexts(reply);
  const edits = useEdits<Locales>(`template ${name}`, saved, template.updatedAt);
  const edited = edits.value;
  const texts = Object.keys(edited).length === 0 ? { [template.defaultLocale]: textsIn({}, '') } : edited;
  const [chosen, choose] = useState(template.defaultLocale);
  const locale = chosen in texts ? chosen : (Object.keys(texts)[0] ?? template.defaultLocale);
  const current = textsIn(texts, locale);
  const [form, setForm] = useState<(typeof forms)[number]>(() =>
    current.html === '' && current.text !== '' ? 'Plain text' : 'Visual',
  );
  const [preview, setPreview] = useState<PreviewState>({ missing: [] });
  const [open, setOpen] = useState<'publish' | 'test' | 'versions' | 'locale'>();
  const inserter = useRef<((text: string) => void) | undefined>(undefined);
  const html = useGeneration(current.html);
  const text = useGeneration(current.text);
  const action = useAction();
  const { isDirty, edit } = edits;
  const nextVersion = (reply.versions[0]?.version ?? 0) + 1;

  const set = (part: keyof Texts, value: string): void => edit({ ...texts, [locale]: { ...current, [part]: value } });
  const draft = { template: name, locales: changedLocales(edits.changes, texts), ...edits.guard };
  const save = async (): Promise<void> => {
    if (!isDirty) return;
    edits.begin();
    const done = await action.run('email.template.draft.save', draft, 'Draft saved.');
    if (done) edits.saved(edited, done.template.updatedAt);
  };
  const publish = async (): Promise<void> => {
    setOpen(undefined);
    edits.begin();
    const said = `Version ${nextVersion} published.`;
    if (!isDirty) await action.run('email.template.publish', { template: name }, said);
    else {
      const published = ['email.template.publish', { template: name }] as const;
      const done = await action.runBoth(['email.template.draft.save', draft], published, said);
      if (done) edits.saved(edited, done.template.updatedAt);
    }
  };
  const isBroken = preview.problem !== undefined;
  const canPublish = isDirty || template.hasDraft;
  return (
    <div
      class="stack"
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
        event.preventDefault();
        void save();
      }}
    >
      <Head
        title={name}
        beside={<span class="t-small">{stateOf({ ...template })}</span>}
        sub={template.description ?? undefined}
        actions={
          <>
            {template.createdAt === null ? null : (
              <OperationButton
                operation="email.template.delete"
                input={{ template: name }}
                kind="danger"
                done="Template deleted"

                onDone={() => go(addressOf(['email', 'template']))}
                action="Delete template"
              >
                <p>{templateTexts.removed}</p>
              </OperationButton>
            )}
            <Button onClick={() => setOpen('versions')}>Versions</Button>
            <Button refused={refusalFor('email.send')} onClick={() => setOpen('test')}>
              Send me a test
            </Button>
            <Button
              busy={action.busy}
              refused={refusalFor('email.template.draft.save') ?? (isDirty ? undefined : 'Everything is saved.')}
              onClick={save}
            >
              Save draft
            </Button>
            <Button
              kind="main"
              busy={action.busy}
              refused={
                refusalFor('email.template.publish') ??
                (isBroken ? templateTexts.broken : canPublish ? undefined : 'There are no changes to publish.')
              }
              onClick={() => setOpen('publish')}
            >
              {`Publish version ${nextVersion}`}
            </Button>
          </>
        }
      />
      <SaveProblem error={action.problem} busy={action.busy} edits={edits} onMerged={action.clear} />
      {Object.keys(saved).length === 0 && template.system ? <Notice>{templateTexts.builtIn}</Notice> : null}
      <div class="edit">
        <section class="card editor" aria-label="Texts">
          <div class="filters">
            <Tabs
              label="Language"
              tabs={Object.keys(texts).map(languageName)}
              chosen={languageName(locale)}
              onChoose={(title) => choose(Object.keys(texts).find((each) => languageName(each) === title) ?? locale)}
            />
            <Button kind="small" icon="plus" onClick={() => setOpen('locale')}>
              Add language
            </Button>
            {Object.keys(texts).length > 1 && locale !== template.defaultLocale ? (
              <Button
                kind="small"
                icon="trash"
                onClick={() => edit(Object.fromEntries(Object.entries(texts).filter(([each]) => each !== locale)))}
              >
                {`Remove ${languageName(locale)}`}
              </Button>
            ) : null}
            <span class="right faint t-small">
              {isDirty ? (
                templateTexts.unsaved
              ) : template.updatedAt === null ? (
                ''
              ) : (
                <>
                  Saved <Time at={template.updatedAt} />
                </>
              )}
            </span>
          </div>
          <div class="in stack">
            <TextInput
              label="Subject"
              value={current.subject}
              onInput={(value) => set('subject', value)}
              required
              error={preview.problem?.part === 'subject' ? preview.problem.text : undefined}
            />
            <TextInput
              label="Preheader"
              value={current.preheader}
              onInput={(value) => set('preheader', value)}
              hint={templateTexts.preheader}
            />
            <div class="row">
              <Tabs label="Form of the text" tabs={forms} chosen={form} onChoose={setForm} />
              {form === 'Plain text' ? null : (
                <InsertPicture template={name} onInsert={(html) => inserter.current?.(html)} />
              )}
            </div>
          </div>
          {form === 'Visual' ? (
            <VisualEditor
              key={`visual ${locale} ${html.generation}`}
              label={`Email in ${languageName(locale)}`}
              locale={locale}
              value={current.html}
              onChange={(value) => {
                html.type(value);
                set('html', value);
              }}
              names={namesOf(template.variables, preview).map((each) => each.name)}
              onInserter={(insert) => (inserter.current = (html) => insert(`<p>${html}</p>`))}
            />
          ) : form === 'HTML' ? (
            <CodeEditor
              key={`html ${locale} ${html.generation}`}
              label={`HTML in ${languageName(locale)}`}
              kind="html"
              value={current.html}
              onChange={(value) => {
                html.type(value);
                set('html', value);
              }}
              names={namesOf(template.variables, preview)}
              problem={placeOf(preview, 'html')}
              onInserter={(insert) => (inserter.current = insert)}
            />
          ) : (
            <>
              <p class="in faint t-small">{templateTexts.text}</p>
              <CodeEditor
                key={`text ${locale} ${text.generation}`}
                label={`Plain text in ${languageName(locale)}`}
                kind="text"
                value={current.text}
                onChange={(value) => {
                  text.type(value);
                  set('text', value);
                }}
                names={namesOf(template.variables, preview)}
                problem={placeOf(preview, 'text')}
              />
            </>
          )}
          <footer class="problems" aria-live="polite">
            {preview.problem ? (
              <>
                <span class="st bad">{preview.problem.line === 0 ? 'Problem' : `Line ${preview.problem.line}`}</span>
                <span>{preview.problem.text}</span>
                <span class="faint">{templateTexts.lastGood}</span>
              </>
            ) : preview.mail ? (
              <span class="st good">No problems</span>
            ) : (
              <span class="faint">{templateTexts.notChecked}</span>
            )}
          </footer>
        </section>
        <div class="stack">
          <TemplatePreview
            name={name}
            locale={locale}
            texts={current}
            variables={template.variables}
            onState={setPreview}
          />
          <TemplateChecks texts={current} />
        </div>
      </div>
      {open === 'publish' ? (
        <Dialog title={`Publish version ${nextVersion}?`} onClose={() => setOpen(undefined)}>
          <p class="soft">{template.publishedVersion === null ? templateTexts.firstVersion : templateTexts.publish}</p>
          {template.publishedVersion === null ? null : (
            <ChangedTexts before={localesOf(reply.published)} after={texts} />
          )}
          <div class="row end">
            <Button kind="bare" onClick={() => setOpen(undefined)}>
              Cancel
            </Button>
            <Button kind="main" onClick={publish}>
              {isDirty ? `Save and publish version ${nextVersion}` : `Publish version ${nextVersion}`}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {open === 'test' ? <TestMail preview={preview} onClose={() => setOpen(undefined)} /> : null}
      {open === 'versions' ? (
        <Versions
          template={name}
          versions={reply.versions}
          now={texts}
          onTake={(taken) => {
            edit(taken);
            setOpen(undefined);
          }}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
      {open === 'locale' ? (
        <AddLocale
          known={Object.keys(texts)}
          onAdd={(added) => {
            edit({ ...texts, [added]: current });
            choose(added);
            setOpen(undefined);
          }}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </div>
  );
}

/** The names that the editor completes. */
const namesOf = (variables: readonly string[], { missing, values = {} }: PreviewState) =>
  [
    ...new Set([...contactNames, ...variables, ...missing, ...Object.keys(values), 'preferencesUrl', 'legalAddress']),
  ].map((name) => ({
    name,
    detail: values[name],
  }));

const placeOf = ({ problem }: PreviewState, part: string): CodeProblem | undefined =>
  problem?.part === part && problem.line > 0 ? problem : undefined;
