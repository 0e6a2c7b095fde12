import { Fragment } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import { useState } from 'preact/hooks';
import {
  Button,
  FormDialog,
  readOnce,
  Refusal,
  refusalFor,
  TextInput,
  useAction,
  useFields,
  useRead,
} from '#core/surfaces/console/kit/index.js';
import { blocksOf } from './blocks.js';
import { currentBlock, insertBlocks } from './commands.js';
import { htmlOf } from './write.js';

/* Blocks that the project keeps, each as a template whose name begins with `block-`. */

const prefix = 'block-';

const keyOf = (name: string): string =>
  prefix +
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50);

/** A key as people wrote it: `block-signature-of-the-team` is “Signature of the team”. */
function nameOf(key: string): string {
  const words = key.slice(prefix.length).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface SavedBlocksProps {
  locale: string;
  state: EditorState;
  run: (command: Command) => void;
}

/** Inserts a saved block, and saves the current one. */
export function SavedBlocks({ locale, state, run }: SavedBlocksProps) {
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const { data } = useRead('email.template.list', { system: false, limit: 100 });
  const keys = (data?.templates ?? []).map(({ template }) => template).filter((key) => key.startsWith(prefix));
  const place = currentBlock(state);
  const insert = async (template: string): Promise<void> => {
    try {
      const { draft, published } = await readOnce('email.template.get', { template });
      const contents = draft ?? published ?? {};
      const html = (contents[locale] ?? Object.values(contents)[0])?.html ?? '';
      setProblem(undefined);
      run(insertBlocks(blocksOf(html)));
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <>
      {keys.length === 0 ? null : (
        <select
          class="input"
          aria-label="Insert a saved block"
          value=""
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = '';
            if (value !== '') void insert(value);
          }}
        >
          <option value="">Saved blocks …</option>
          {keys.map((key) => (
            <option key={key} value={key}>
              {nameOf(key)}
            </option>
          ))}
        </select>
      )}
      <Button
        kind="small"
        refused={refusalFor('email.template.draft.save') ?? (place ? undefined : 'Put the cursor into a block first.')}
        onClick={() => setSaving(true)}
      >
        Save this block
      </Button>
      {problem === undefined ? null : <Refusal error={problem} />}
      {isSaving && place ? (
        <SaveBlock
          html={htmlOf(Fragment.from(place.node))}
          locale={locale}
          keys={keys}
          onClose={() => setSaving(false)}
        />
      ) : null}
    </>
  );
}

interface SaveBlockProps {
  html: string;
  locale: string;
  keys: readonly string[];
  onClose: () => void;
}

function SaveBlock({ html, locale, keys, onClose }: SaveBlockProps) {
  const form = useFields('saved block', { name: '' });
  const action = useAction();
  const name = form.values.name.trim();
  const template = keyOf(name);
  const refused =
    template === prefix
      ? 'Give the block a name first.'
      : keys.includes(template)
        ? 'There is a saved block of this name.'
        : undefined;
  const save = async (): Promise<void> => {
    const locales = { [locale]: { subject: name, html } };
    const done = await action.run(
      'email.template.draft.save',
      { template, locales, defaultLocale: locale },
      'Block saved.',
    );
    if (!done) return;
    form.clear();
    onClose();
  };
  return (
    <FormDialog
      title="Save this block"
      busy={action.busy}
      refused={refused}
      action="Save block"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {action.problem === undefined ? null : <Refusal error={action.problem} />}
      <TextInput
        label="Name of the block"
        value={form.values.name}
        onInput={(text) => form.set({ name: text })}
        hint="It can then be inserted into every email of the project. Emails keep what was inserted."
        error={keys.includes(template) ? refused : undefined}
        required
      />
    </FormDialog>
  );
}
