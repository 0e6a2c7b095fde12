import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { CliField, CliFields } from '../../cli/command-catalogue.js';
import { isSvcError } from '../../sdk/errors.js';
import { readOnce } from './read.js';
import { catalogue, type Row } from './state.js';
import { JsonControl } from './json-control.js';
import { Button } from './page.js';
import { Prose } from './prose.js';
import { rowsAt, textAt } from './value.js';
import { choiceText, labelOf } from './words.js';

/* One field of a form, from its schema: a control that fits the type, its description, and its error. */

export interface FieldProps {
  name: string;
  /** The path in the input, such as `attachments[0].filename`, as refusals name it. */
  path: string;
  field: CliField;
  /** A JSON value; undefined if the field is not sent. */
  value: unknown;
  onChange: (value: unknown) => void;
  /** The problem, and the path of the field that it is about. */
  problem?: { readonly path: string; readonly text: string } | undefined;
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

const longTexts = /^(?:html|text|body|content|message|description|reason|note|csv)$/i;

/**
 * The control that shows a refused field: the deepest one on the way to it, because maps and lists of texts have one
 * control for all of their values.
 * @param path as refusals name it: `to[0]`, `properties.plan`
 */
function controlOf(fields: CliFields, path: string): string | undefined {
  const parts = path.match(/[^.[\]]+/g) ?? [];
  const at = (level: CliFields, left: readonly string[], before: string): string | undefined => {
    const [name = '', ...rest] = left;
    const field = level[name];
    if (!field) return undefined;
    const here = before === '' ? name : `${before}.${name}`;
    if (field.type === 'object') return at(field.fields ?? {}, rest, here) ?? here;
    const [index, ...inside] = rest;
    if (field.type !== 'list' || field.items?.type !== 'object' || index === undefined) return here;
    return at(field.items.fields ?? {}, inside, `${here}[${index}]`) ?? here;
  };
  return at(fields, parts, '');
}

/** What a refusal says about one of the shown fields; undefined if it is about something else. */
export function fieldProblem(error: unknown, fields: CliFields): FieldProps['problem'] {
  const named = isSvcError(error) ? error.details['field'] : undefined;
  if (!isSvcError(error) || typeof named !== 'string') return undefined;
  const path = controlOf(fields, named);
  return path === undefined ? undefined : { path, text: `${error.message} ${error.fix}` };
}

/** Fields that hold other fields have a legend; all others a label. */
const isGroup = ({ type, items }: CliField): boolean =>
  type === 'object' || (type === 'list' && (items?.type === 'object' || (items?.choices?.length ?? 0) > 0));

export function Field(props: FieldProps) {
  const { name, path, field, value, onChange, problem } = props;
  const id = useId();
  const error = problem?.path === path ? problem.text : undefined;
  const hints = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(field.description === undefined ? [] : [`${id}-hint`]),
  ];
  const about = (
    <>
      {error === undefined ? null : (
        <span class="error" id={`${id}-error`}>
          {error}
        </span>
      )}
      {field.description === undefined ? null : (
        <span class="hint" id={`${id}-hint`}>
          <Prose text={field.description} />
        </span>
      )}
    </>
  );
  const label = (
    <>
      {labelOf(name)} {field.required ? <span class="faint">required</span> : null}
    </>
  );
  if (isGroup(field))
    return (
      <fieldset class="field group" aria-describedby={hints.join(' ') || undefined}>
        <legend>{label}</legend>
        {about}
        <Group {...props} />
      </fieldset>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Control
        {...props}
        id={id}
        attributes={{
          id,
          'aria-describedby': hints.join(' ') || undefined,
          'aria-invalid': error === undefined ? undefined : true,
          required: field.required,
        }}
      />
      {field.nullable && value !== null && !field.required ? (
        <button type="button" class="link" onClick={() => onChange(null)}>
          Set to nothing
        </button>
      ) : null}
      {value === null ? <span class="hint">Will be set to nothing.</span> : null}
      {about}
    </div>
  );
}

interface ControlProps extends FieldProps {
  id: string;
  attributes: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
    required: true | undefined;
  };
}

function Control({ name, field, value, onChange, attributes }: ControlProps): ComponentChildren {
  const { required: _, ...loose } = attributes;
  if (field.choices)
    return <Choice choices={field.choices} field={field} value={value} onChange={onChange} attributes={attributes} />;
  switch (field.type) {
    case 'boolean':
      return (
        <select
          class="input"
          {...loose}
          value={typeof value === 'boolean' ? String(value) : ''}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : currentTarget.value === 'true')
          }
        >
          <option value="">
            {field.default === undefined ? 'Not set' : `Default: ${field.default === true ? 'yes' : 'no'}`}
          </option>
          <option value="true">Yes</option>
          <option value="false">No</option>
        </select>
      );
    case 'integer':
    case 'number':
      return (
        <input
          class="input"
          inputMode="decimal"
          {...attributes}
          value={textOf(value)}
          placeholder={field.default === undefined ? '' : `Default: ${textOf(field.default)}`}
          onInput={({ currentTarget: { value: text } }) =>
            onChange(text === '' ? undefined : Number.isNaN(Number(text)) ? text : Number(text))
          }
        />
      );
    case 'text':
      return <TextControl name={name} field={field} value={value} onChange={onChange} attributes={attributes} />;
    case 'list':
      return (
        <textarea
          class="input"
          rows={Math.max(1, Math.min(6, listOf(value).length + 1))}
          {...attributes}
          placeholder="One per line"
          value={listOf(value).map(textOf).join('\n')}
          onInput={({ currentTarget: { value: text } }) =>
            onChange(text === '' ? undefined : text.split('\n').map((line) => itemOf(line, field.items)))
          }
          onBlur={() => onChange(emptyToNothing(listOf(value).filter((each) => each !== '')))}
        />
      );
    default:
      return <JsonControl value={value} onChange={onChange} attributes={attributes} />;
  }
}

const emptyToNothing = (items: readonly unknown[]): unknown => (items.length === 0 ? undefined : items);

const itemOf = (line: string, items: CliField | undefined): unknown =>
  (items?.type === 'integer' || items?.type === 'number') && line !== '' && !Number.isNaN(Number(line))
    ? Number(line)
    : line;

function Choice({
  choices,
  field,
  value,
  onChange,
  attributes,
}: Pick<ControlProps, 'field' | 'value' | 'onChange' | 'attributes'> & { choices: readonly string[] }) {
  return (
    <select
      class="input"
      {...attributes}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      <option value="">
        {field.default === undefined ? 'Choose' : `Default: ${choiceText(textOf(field.default))}`}
      </option>
      {choices.map((choice) => (
        <option value={choice}>{choiceText(choice)}</option>
      ))}
    </select>
  );
}

const keyboards: Readonly<Record<string, 'email' | 'url'>> = { email: 'email', uri: 'url' };

function TextControl({ name, field, value, onChange, attributes }: Omit<ControlProps, 'id' | 'path'>) {
  const set = (text: string): void => onChange(text === '' ? undefined : text);
  const [options, offer] = useState<readonly { value: string; label: string }[]>([]);
  if (field.format === 'date-time')
    return (
      <input
        class="input"
        type="datetime-local"
        step="1"
        {...attributes}
        value={localTime(textOf(value))}
        onChange={({ currentTarget }) =>
          set(currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString())
        }
      />
    );
  if (field.format === 'password' || name === 'password')
    return (
      <input
        class="input"
        type="password"
        autocomplete="off"
        {...attributes}
        value={textOf(value)}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  if (longTexts.test(name))
    return (
      <textarea
        class={`input ${name === 'html' ? 'mono' : ''}`}
        rows={name === 'html' || name === 'csv' ? 10 : 4}
        {...attributes}
        value={textOf(value)}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  return (
    <>
      <input
        class="input"
        type="text"
        inputMode={keyboards[field.format ?? '']}
        list={options.length > 0 ? `${attributes.id}-options` : undefined}
        autocomplete="off"
        {...attributes}
        value={textOf(value)}
        placeholder={field.default === undefined ? '' : `Default: ${textOf(field.default)}`}
        onFocus={() => void namesFor(name).then(offer)}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <datalist id={`${attributes.id}-options`}>
        {options.map((option) => (
          <option value={option.value}>{option.label}</option>
        ))}
      </datalist>
    </>
  );
}

const localTime = (text: string): string => {
  const date = new Date(text);
  if (text === '' || Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};

/** For a field that takes an id, the first things that it may mean, by the operation that lists them. */
async function namesFor(field: string): Promise<readonly { value: string; label: string }[]> {
  const finder = catalogue.value?.operations.find(
    ({ namedItems, list }) => list !== undefined && namedItems?.id === field,
  );
  if (!finder?.list || !finder.namedItems) return [];
  const [nameField] = finder.namedItems.names;
  const reply = await readOnce(finder.name, finder.pages ? { limit: 100 } : {}).catch(() => ({}));
  return rowsAt(reply, finder.list.field).map((row) => ({ value: textAt(row, 'id'), label: textAt(row, nameField) }));
}

/** The fields of an object, the items of a list of objects, or the boxes of a list of choices. */
function Group({ name, path, field, value, onChange, problem }: FieldProps): ComponentChildren {
  const { type, items } = field;
  if (type === 'object')
    return (
      <Fields
        path={path}
        fields={field.fields ?? {}}
        value={isRow(value) ? value : {}}
        onChange={onChange}
        problem={problem}
      />
    );
  const list = listOf(value);
  if (items?.choices)
    return (
      <div class="boxes">
        {items.choices.map((choice) => (
          <label>
            <input
              type="checkbox"
              checked={list.includes(choice)}
              onChange={({ currentTarget }) =>
                onChange(
                  emptyToNothing(currentTarget.checked ? [...list, choice] : list.filter((each) => each !== choice)),
                )
              }
            />
            {choice}
          </label>
        ))}
      </div>
    );
  return (
    <>
      {list.map((item, index) => (
        <div class="item">
          <Fields
            path={`${path}[${index}]`}
            fields={items?.fields ?? {}}
            value={isRow(item) ? item : {}}
            onChange={(changed) => onChange(list.map((each, at) => (at === index ? (changed ?? {}) : each)))}
            problem={problem}
          />
          <Button
            kind="small"
            icon="trash"
            onClick={() => onChange(emptyToNothing(list.filter((_, at) => at !== index)))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button kind="small" icon="plus" onClick={() => onChange([...list, {}])}>
        Add {labelOf(name).toLowerCase().replace(/s$/, '')}
      </Button>
    </>
  );
}

interface FieldsProps {
  path?: string;
  fields: Readonly<Record<string, CliField>>;
  value: Row;
  /** Undefined once no field is set. */
  onChange: (value: Row | undefined) => void;
  problem?: FieldProps['problem'];
  /** Only these fields. */
  only?: readonly string[];
}

/** Several fields of one object. */
export const Fields = ({ path = '', fields, value, onChange, problem, only = Object.keys(fields) }: FieldsProps) => (
  <>
    {only.flatMap((name) => {
      const field = fields[name];
      if (!field) return [];
      return (
        <Field
          key={name}
          name={name}
          path={path === '' ? name : `${path}.${name}`}
          field={field}
          value={value[name]}
          problem={problem}
          onChange={(changed) => {
            const { [name]: _, ...rest } = value;
            const next = changed === undefined ? rest : { ...rest, [name]: changed };
            onChange(Object.keys(next).length === 0 ? undefined : next);
          }}
        />
      );
    })}
  </>
);
