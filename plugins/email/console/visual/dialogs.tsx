import { useState } from 'preact/hooks';
import type { Command, EditorState } from 'prosemirror-state';
import { Button, Dialog, FormDialog, TextInput } from '#core/surfaces/console/kit/index.js';
import { blocks } from './blocks.js';
import { insertBlock, insertChip, linkAt, setLink, wrapInFrame } from './commands.js';
import type { Asked } from './open.js';
import { attr } from './schema.js';
import { ConditionFields, isName, NameFields } from './settings.js';
import { attributeOf } from './tokens.js';
import { chipSource, conditionSource, type Condition } from './words.js';

interface AskProps {
  state: EditorState;
  names: readonly string[];
  onRun: (command: Command) => void;
  onClose: () => void;
}

function Insert({ onRun, onClose }: AskProps) {
  const [text, setText] = useState('');
  const found = blocks.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const [first] = found;
  return (
    <FormDialog
      title="Insert a block"
      action={first ? `Insert: ${first.name}` : 'Insert'}
      refused={first ? undefined : 'There is no such block.'}
      onSubmit={() => first && onRun(insertBlock(first.name))}
      onClose={onClose}
    >
      <TextInput label="Find a block" value={text} onInput={setText} />
      <div class="v-grid">
        {found.map(({ name }) => (
          <button key={name} type="button" class="b" onClick={() => onRun(insertBlock(name))}>
            {name}
          </button>
        ))}
      </div>
    </FormDialog>
  );
}

function Link({ state, onRun, onClose }: AskProps) {
  const found = linkAt(state);
  const [href, setHref] = useState(found ? attributeOf(attr(found.mark, 'open'), 'a', 'href') : 'https://');
  const [text, setText] = useState('');
  const isEmpty = !found && state.selection.empty;
  const address = href.trim() === 'https://' ? '' : href.trim();
  return (
    <FormDialog
      title={found ? 'Change the link' : 'Add a link'}
      action="Set link"
      refused={address === '' ? 'Type an address first.' : undefined}
      onSubmit={() => onRun(setLink(address, text))}
      onClose={onClose}
    >
      <TextInput label="Address" value={href} onInput={setHref} />
      {isEmpty ? <TextInput label="Text of the link" value={text} onInput={setText} /> : null}
      {found ? (
        <div class="row">
          <Button kind="small" icon="trash" onClick={() => onRun(setLink('', ''))}>
            Remove link
          </Button>
        </div>
      ) : null}
    </FormDialog>
  );
}

function Variable({ names, onRun, onClose }: AskProps) {
  const [name, setName] = useState(names[0] ?? '');
  const [fallback, setFallback] = useState('');
  return (
    <FormDialog
      title="Insert name, date …"
      action="Insert value"
      refused={isName(name) ? undefined : 'Choose a value first.'}
      onSubmit={() => onRun(insertChip(chipSource(name, fallback)))}
      onClose={onClose}
    >
      <NameFields label="Value" names={names} name={name} onChange={setName} />
      <TextInput label="If there is none, write" value={fallback} onInput={setFallback} />
    </FormDialog>
  );
}

function ShowTo({ names, onRun, onClose }: AskProps) {
  const [condition, set] = useState<Condition>({ name: names[0] ?? '', relation: 'has a value', value: '' });
  return (
    <FormDialog
      title="Show this block only to some"
      action="Show only to them"
      refused={isName(condition.name) ? undefined : 'Choose a value first.'}
      onSubmit={() => onRun(wrapInFrame(conditionSource(condition)))}
      onClose={onClose}
    >
      <ConditionFields condition={condition} names={names} onChange={set} />
    </FormDialog>
  );
}

const keyTexts = [
  ['Insert a block', '/ in an empty text'],
  ['Bold, italic, underlined', 'Ctrl B, Ctrl I, Ctrl U'],
  ['Link', 'Ctrl K'],
  ['Insert name, date …', 'Ctrl Shift V'],
  ['Text, headings', 'Ctrl Alt 0, 1, 2, 3'],
  ['Numbered list, list, quote', 'Ctrl Shift 7, 8, 9'],
  ['Item further in, further out', 'Ctrl ], Ctrl ['],
  ['Move the block', 'Alt ↑, Alt ↓'],
  ['Duplicate, delete the block', 'Ctrl D, Ctrl Shift Backspace'],
  ['New line in a text', 'Shift Enter'],
  ['Select what is around', 'Escape'],
  ['Undo, redo', 'Ctrl Z, Ctrl Y'],
] as const;

const Keys = ({ onClose }: AskProps) => (
  <Dialog title="Keys of the editor" onClose={onClose}>
    <dl class="v-keys">
      {keyTexts.map(([what, key]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{key}</dd>
        </div>
      ))}
    </dl>
    <p class="faint t-small">On a Mac, ⌘ is Ctrl and ⌥ is Alt. Tab leaves the text.</p>
    <div class="row end">
      <Button onClick={onClose}>Close</Button>
    </div>
  </Dialog>
);

/** The dialogs of the editor, by what was asked. */
export const dialogs: Readonly<Record<Asked, (props: AskProps) => preact.ComponentChildren>> = {
  insert: Insert,
  link: Link,
  variable: Variable,
  condition: ShowTo,
  keys: Keys,
};
