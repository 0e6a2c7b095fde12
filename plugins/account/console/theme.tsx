import { useState } from 'preact/hooks';
import {
  Button,
  Card,
  choiceText,
  Confirm,
  contrast,
  Head,
  isColour,
  Labelled,
  Loading,
  Notice,
  OperationButton,
  Refusal,
  refusalFor,
  SaveProblem,
  SelectInput,
  Status,
  TextInput,
  textContrast,
  textPairs,
  useAction,
  useEdits,
  useRead,
  type PageTheme,
  type ResultOf,
} from '#core/surfaces/console/kit/index.js';
import { themeTexts } from './texts.js';
import { ThemePreview } from './theme-preview.js';

type ColourName = keyof PageTheme['colors'];

const colourNames: Readonly<Record<ColourName, string>> = {
  primary: 'Buttons',
  onPrimary: 'Text on buttons',
  background: 'Background',
  surface: 'Cards and fields',
  text: 'Text',
  link: 'Links',
  border: 'Borders',
};
const order = ['primary', 'onPrimary', 'background', 'surface', 'text', 'link', 'border'] as const;
const behind: Readonly<Record<string, string>> = {
  background: 'the background',
  surface: 'cards and fields',
  primary: 'buttons',
};
const radii = ['none', 'small', 'large'] as const;
const fonts = ['system', 'serif', 'mono'] as const;

type Saved = ResultOf<'account.theme.get'>;

/** The theme: its values beside a sign-in page and an email that have them. */
export default function Theme() {
  const { data, error, again } = useRead('account.theme.get', {});
  if (error) return <Refusal error={error} again={again} />;
  return data ? <Editor saved={data} /> : <Loading />;
}

/** Without the fields that saving does not take. */
const looksOf = ({ brandName, logoUrl, colors, radius, font, supportUrl, supportEmail }: PageTheme): PageTheme => ({
  brandName,
  logoUrl,
  colors,
  radius,
  font,
  supportUrl,
  supportEmail,
});

/** What is wrong with a colour: its form, or the contrast of a text pair that it belongs to. */
function colourProblem(name: ColourName, { colors }: PageTheme): string | undefined {
  if (!isColour(colors[name])) return themeTexts.color;
  const low = textPairs
    .filter(([front, back]) => front === name && isColour(colors[back]))
    .map(([front, back]) => ({ back, ratio: contrast(colors[front], colors[back]) }))
    .filter(({ ratio }) => ratio < textContrast)
    .map(({ back, ratio }) => `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1 on ${behind[back] ?? back}`);
  return low.length === 0 ? undefined : `The contrast is too low: ${low.join(', ')}. It needs ${textContrast}:1.`;
}

function Editor({ saved }: { saved: Saved }) {
  const kept = looksOf(saved.draft ?? saved.published);
  const [asking, ask] = useState(false);
  const edits = useEdits('theme', kept, saved.updatedAt);
  const theme = edits.value;
  const { busy, problem, clear, run, runBoth } = useAction();
  const [last, setLast] = useState<'save' | 'publish'>('save');
  const isChanged = edits.isDirty;
  const set = (changed: Partial<PageTheme>): void => edits.edit({ ...theme, ...changed });
  const problems = new Map(
    order.flatMap((name) => {
      const found = colourProblem(name, theme);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
  const badForm = order.some((name) => !isColour(theme.colors[name]));

  /** What is edited while it runs stays. */
  const perform = async (action: 'save' | 'publish'): Promise<void> => {
    setLast(action);
    edits.begin();
    const draft = { theme, ...edits.guard };
    if (action === 'save') {
      const done = await run('account.theme.draft.save', draft, 'Draft saved.');
      if (done) edits.saved(theme, done.updatedAt);
      return;
    }
    // Saves also without a change: somebody may have saved another draft since this one was read.
    const done = await runBoth(['account.theme.draft.save', draft], ['account.theme.publish', {}], 'Theme published.');
    if (done) edits.saved(theme, done.published.publishedAt);
  };
  const nothing = isChanged ? undefined : 'Nothing has changed.';
  return (
    <>
      <Head
        title="Theme"
        beside={
          isChanged ? (
            <Status status="unsaved" tone="warn" />
          ) : saved.draft ? (
            <Status status="draft" tone="run" />
          ) : (
            <Status status="published" />
          )
        }
        sub={themeTexts.sub}
        actions={
          <>
            <OperationButton
              operation="account.theme.reset"
              action="Restore default theme"
              kind="danger"
              input={{}}
              done="Default theme restored"
              onDone={edits.discard}
              refused={saved.published.version === 0 && !saved.draft ? 'The default theme is in use.' : undefined}
            >
              <p>{themeTexts.reset}</p>
            </OperationButton>
            <Button
              busy={busy}
              onClick={() => void perform('save')}
              refused={refusalFor('account.theme.draft.save') ?? nothing ?? (badForm ? themeTexts.color : undefined)}
            >
              Save draft
            </Button>
            <Button
              kind="main"
              busy={busy}
              onClick={() => ask(true)}
              refused={
                refusalFor('account.theme.publish') ??
                (saved.draft || isChanged
                  ? badForm
                    ? themeTexts.color
                    : problems.size > 0
                      ? themeTexts.lowContrast
                      : undefined
                  : nothing)
              }
            >
              Publish theme
            </Button>
          </>
        }
      />
      {asking ? (
        <Confirm
          title="Publish theme?"
          action="Publish theme"
          kind="main"
          onConfirm={() => void perform('publish')}
          onClose={() => ask(false)}
        >
          <p>{themeTexts.publish}</p>
        </Confirm>
      ) : null}
      <SaveProblem error={problem} again={() => void perform(last)} busy={busy} edits={edits} onMerged={clear} />
      {saved.draft && !isChanged ? <Notice>{themeTexts.draft}</Notice> : null}
      <div class="theme-edit">
        <div class="stack">
          <Card title="Brand">
            <TextInput
              label="Brand name"
              required
              value={theme.brandName}
              hint={themeTexts.brand}
              onInput={(brandName) => set({ brandName })}
            />
            <OptionalText
              label="Logo"
              value={theme.logoUrl}
              hint={themeTexts.logo}
              onInput={(logoUrl) => set({ logoUrl })}
            />
          </Card>
          <Card title="Colours">
            <div class="colours">
              {order.map((name) => (
                <Colour
                  key={name}
                  name={name}
                  value={theme.colors[name]}
                  problem={problems.get(name)}
                  onChange={(value) => set({ colors: { ...theme.colors, [name]: value } })}
                />
              ))}
            </div>
            <p class="faint">{themeTexts.dark}</p>
          </Card>
          <Card title="Shape and type">
            <div class="cols">
              <SelectInput
                label="Corners"
                value={theme.radius}
                options={radii.map((value) => ({ value, text: choiceText(value) }))}
                onChange={(value) => set({ radius: radii.find((each) => each === value) ?? theme.radius })}
              />
              <SelectInput
                label="Font"
                value={theme.font}
                options={fonts.map((value) => ({ value, text: choiceText(value) }))}
                onChange={(value) => set({ font: fonts.find((each) => each === value) ?? theme.font })}
              />
            </div>
          </Card>
          <Card title="Help">
            <OptionalText label="Help page" value={theme.supportUrl} onInput={(supportUrl) => set({ supportUrl })} />
            <OptionalText
              label="Email address of your support team"
              value={theme.supportEmail}
              onInput={(supportEmail) => set({ supportEmail })}
            />
          </Card>
        </div>
        <div class="theme-preview">
          <ThemePreview theme={theme} />
          {isChanged ? <p class="faint">{themeTexts.unsaved}</p> : null}
        </div>
      </div>
    </>
  );
}

const OptionalText = ({
  label,
  value,
  hint,
  onInput,
}: {
  label: string;
  value: string | null;
  hint?: string;
  onInput: (value: string | null) => void;
}) => (
  <TextInput label={label} value={value ?? ''} hint={hint} onInput={(text) => onInput(text === '' ? null : text)} />
);

/** A colour as a text, with the browser's own picker beside it. */
const Colour = ({
  name,
  value,
  problem,
  onChange,
}: {
  name: ColourName;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}) => (
  <Labelled label={colourNames[name]} error={problem}>
    {(attributes) => (
      <span class="colour">
        <input
          type="color"
          aria-label={`${colourNames[name]}: choose a colour`}
          value={isColour(value) ? value : '#000000'}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <input
          class="input mono"
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={7}
          {...attributes}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
        />
      </span>
    )}
  </Labelled>
);
