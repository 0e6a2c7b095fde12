import {
  addressOf,
  Button,
  Empty,
  FormDialog,
  Head,
  List,
  operationNamed,
  Refusal,
  refusalFor,
  type Row,
  type ScreenProps,
  Status,
  Tabs,
  textAt,
  TextInput,
  useAction,
  useAddress,
  useFields,
  useOpened,
  valueAt,
} from '#core/surfaces/console/kit/index.js';
import { templateTexts } from './texts.js';

const kinds = ['Your own', 'System'] as const;

/** The templates, with what is published and what is not yet. */
export default function Templates(_: ScreenProps) {
  const { query, go } = useAddress();
  const [creating, create] = useOpened('create', refusalFor('email.template.draft.save'));
  const operation = operationNamed('email.template.list');
  if (!operation) return null;
  const isSystem = query['system'] === 'true';
  const add = (
    <Button kind="main" icon="plus" refused={refusalFor('email.template.draft.save')} onClick={() => create(true)}>
      Create template
    </Button>
  );
  const list = addressOf(['email', 'template']);
  return (
    <>
      <Head title="Templates" sub={isSystem ? templateTexts.systemSub : templateTexts.sub} actions={add} />
      {creating ? <NewTemplate onClose={() => create(false)} /> : null}
      <List
        operation={operation}
        filters={[]}
        fixed={{ system: isSystem }}
        beside={
          <Tabs
            label="Which templates"
            tabs={kinds}
            chosen={isSystem ? 'System' : 'Your own'}
            onChoose={(kind) => go(kind === 'System' ? `${list}?system=true` : list)}
          />
        }
        columns={[
          { title: 'Name', field: 'template' },
          { title: 'State', field: 'status', show: stateOf },
          { title: 'Purpose', field: 'description' },
          { title: 'Default language', field: 'defaultLocale' },
          { title: 'Changed', field: 'updatedAt' },
        ]}
        hrefOf={(row) => addressOf(['email', 'template', textAt(row, 'template')])}
        empty={
          <Empty title="No templates yet." action={add}>
            {templateTexts.empty}
          </Empty>
        }
      />
    </>
  );
}

/** What is sent, and whether there are changes that are not. */
export function stateOf(row: Row) {
  const version = textAt(row, 'publishedVersion');
  const hasDraft = valueAt(row, 'hasDraft') === true;
  if (version === '')
    return valueAt(row, 'system') === true && !hasDraft ? (
      <Status status="Built-in texts" />
    ) : (
      <Status status="Draft, nothing published" />
    );
  return hasDraft ? (
    <Status status={`Version ${version}, draft with changes`} tone="run" />
  ) : (
    <Status status={`Version ${version} published`} tone="good" />
  );
}

const first = {
  subject: 'Hello {{ contact.firstName | default: "there" }}',
  html: '<h1>A heading</h1>\n<p>Hello {{ contact.firstName | default: "there" }},</p>\n<p>write your email here.</p>\n',
};

function NewTemplate({ onClose }: { onClose: () => void }) {
  const { go } = useAddress();
  const form = useFields('new template', { name: '', locale: 'en' });
  const { name, locale } = form.values;
  const action = useAction();
  const isName = /^[a-z0-9][a-z0-9._-]*$/.test(name);
  const save = async (): Promise<void> => {
    const result = await action.run(
      'email.template.draft.save',
      { template: name, locales: { [locale]: first }, defaultLocale: locale },
      'Template created.',
    );
    if (!result) return;
    form.clear();
    go(addressOf(['email', 'template', result.template.template]));
  };
  return (
    <FormDialog
      title="Create template"
      busy={action.busy}
      refused={isName ? undefined : 'Give the template a name first.'}
      action="Create template"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {action.problem === undefined ? null : <Refusal error={action.problem} />}
      <TextInput
        label="Name"
        value={name}
        onInput={(text) => form.set({ name: text })}
        mono
        required
        hint={templateTexts.name}
        error={name === '' || isName ? undefined : templateTexts.nameForm}
      />
      <TextInput
        label="Language"
        value={locale}
        onInput={(text) => form.set({ locale: text })}
        mono
        hint={templateTexts.language}
        required
      />
    </FormDialog>
  );
}
