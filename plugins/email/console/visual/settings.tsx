import { useState } from 'preact/hooks';
import { NodeSelection, type Command, type EditorState } from 'prosemirror-state';
import { Button, SelectInput, TextInput } from '#core/surfaces/console/kit/index.js';
import { linked, pixelsOf, spaceOf } from './blocks.js';
import { aligned, blocksAround, setAttr, setCondition, unwrapFrame, type Place } from './commands.js';
import { attr, elementOf, schema } from './schema.js';
import { attributeOf, withAttribute } from './tokens.js';
import { chipParts, chipSource, conditionOf, conditionSource, nameWords, relations, type Condition } from './words.js';

const { nodes } = schema;

interface SettingsProps {
  state: EditorState;
  run: (command: Command) => void;
  names: readonly string[];
}

const other = 'other';

export const isName = (text: string): boolean => /^[a-zA-Z_][\w.]*$/.test(text);

/** A choice of a variable, also of one that is not known. */
export function NameFields({
  label,
  names,
  name,
  onChange,
}: {
  label: string;
  names: readonly string[];
  name: string;
  /** Is told names only. */
  onChange: (name: string) => void;
}) {
  const [own, setOwn] = useState(names.includes(name) ? undefined : name);
  return (
    <>
      <SelectInput
        label={label}
        value={own === undefined ? name : other}
        onChange={(next) => {
          setOwn(next === other ? '' : undefined);
          if (next !== other) onChange(next);
        }}
        options={[
          ...names.map((each) => ({ value: each, text: nameWords(each) })),
          { value: other, text: 'Another value …' },
        ]}
      />
      {own === undefined ? null : (
        <TextInput
          label="Its name"
          value={own}
          onInput={(text) => {
            setOwn(text);
            if (isName(text.trim())) onChange(text.trim());
          }}
          hint="Such as a property of the contact: city."
          error={own === '' || isName(own.trim()) ? undefined : 'Use letters, digits and dots.'}
        />
      )}
    </>
  );
}

/** The variable and value that a condition compares. */
export function ConditionFields({
  condition,
  names,
  onChange,
}: {
  condition: Condition;
  names: readonly string[];
  onChange: (condition: Condition) => void;
}) {
  const { name, relation, value } = condition;
  const hasValue = relation !== 'has a value' && relation !== 'has no value';
  return (
    <div class="cols">
      <NameFields
        label="Only to contacts where"
        names={names}
        name={name}
        onChange={(next) => onChange({ ...condition, name: next })}
      />
      <SelectInput
        label="Comparison"
        value={relation}
        onChange={(next) => onChange({ ...condition, relation: relations.find((each) => each === next) ?? 'is' })}
        options={relations.map((each) => ({ value: each, text: each }))}
      />
      {hasValue ? (
        <TextInput label="Value" value={value} onInput={(next) => onChange({ ...condition, value: next })} />
      ) : null}
    </div>
  );
}

function PlaceSettings({ place: { node, pos }, run, names }: SettingsProps & { place: Place }) {
  const html = attr(node, 'html');
  const open = attr(node, 'open');
  const set = (name: string, value: string): void => run(setAttr(pos, name, value));
  if (node.type === nodes.picture) {
    const image = (name: string) => (value: string) => set('html', withAttribute(html, 'img', name, value));
    return (
      <div class="cols">
        <TextInput
          label="Address of the picture"
          value={attributeOf(html, 'img', 'src')}
          onInput={image('src')}
          placeholder="https://"
        />
        <TextInput
          label="Description"
          value={attributeOf(html, 'img', 'alt')}
          onInput={image('alt')}
          hint="For people who do not see the picture."
        />
        <TextInput
          label="Link of the picture"
          value={attributeOf(html, 'a', 'href')}
          onInput={(href) => set('html', linked(html, href))}
          placeholder="https://"
        />
      </div>
    );
  }
  if (node.type === nodes.button)
    return (
      <TextInput
        label="Address that the button opens"
        value={attributeOf(open, 'a', 'href')}
        onInput={(href) => set('open', withAttribute(open, 'a', 'href', href))}
        placeholder="https://"
      />
    );
  if (node.type === nodes.space)
    return (
      <SelectInput
        label="Height"
        value={String(pixelsOf(html))}
        onChange={(pixels) => set('html', spaceOf(Number(pixels)))}
        options={[8, 16, 24, 32, 48, 64].map((pixels) => ({ value: String(pixels), text: `${pixels} pixels` }))}
      />
    );
  if (node.type === nodes.html)
    return <TextInput label="Own HTML" value={html} onInput={(text) => set('html', text)} lines={6} mono />;
  if (node.type === nodes.chip) {
    const parts = chipParts(attr(node, 'source'));
    if (!parts)
      return (
        <TextInput label="Value in Liquid" value={attr(node, 'source')} onInput={(text) => set('source', text)} mono />
      );
    return (
      <TextInput
        label={`Without a value for “${nameWords(parts.name)}”, write`}
        value={parts.fallback}
        onInput={(fallback) => set('source', chipSource(parts.name, fallback))}
      />
    );
  }
  if (node.type === nodes.raw)
    return (
      <TextInput
        label="Part of the text as code"
        value={attr(node, 'source')}
        onInput={(text) => set('source', text)}
        mono
      />
    );
  if (node.type === nodes.branch) {
    const condition = conditionOf(open);
    return (
      <div class="stack">
        {condition ? (
          <ConditionFields
            condition={condition}
            names={names}
            onChange={(next) => run(setCondition(pos, conditionSource(next)))}
          />
        ) : /^\{%-?\s*else\b/.test(open) ? null : (
          <TextInput label="Condition in Liquid" value={open} onInput={(text) => run(setCondition(pos, text))} mono />
        )}
        <div class="row">
          <Button kind="small" onClick={() => run(unwrapFrame(pos))}>
            Show to everyone
          </Button>
        </div>
      </div>
    );
  }
  if (node.type === nodes.paragraph || node.type === nodes.heading)
    return (
      <SelectInput
        label="Align"
        value={/text-align:\s*(\w+)/.exec(attributeOf(open, elementOf(open).toLowerCase(), 'style'))?.[1] ?? ''}
        onChange={(align) => set('open', aligned(open, align))}
        options={[
          { value: '', text: 'As the text runs' },
          { value: 'left', text: 'Left' },
          { value: 'center', text: 'Centred' },
          { value: 'right', text: 'Right' },
        ]}
      />
    );
  return null;
}

/** What can be set of the block or chip that is selected, and of the frames around it. */
export function Settings(props: SettingsProps) {
  const { selection } = props.state;
  const chip =
    selection instanceof NodeSelection && selection.node.isInline
      ? [{ node: selection.node, pos: selection.from }]
      : [];
  const [block, ...around] = blocksAround(props.state);
  const places = [
    ...chip,
    ...(block ? [block] : []),
    ...around.filter(({ node }) => node.type === nodes.branch).slice(0, 1),
  ];
  return (
    <section class="stack v-settings" aria-label="Selected block">
      {places.map((place) => (
        <PlaceSettings key={`${place.node.type.name} ${place.pos}`} {...props} place={place} />
      ))}
    </section>
  );
}
