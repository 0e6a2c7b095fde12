import { useId } from 'preact/hooks';
import { Button, PropertyInput, Refusal, rowAt, rowsAt, useRead } from '#core/surfaces/console/kit/index.js';
import { controlOf, families, fieldOf, operatorsOf, partsOf } from './condition-fields.js';
import { newGroup, newRule, type Group, type Join, type Rule } from './definition.js';
import { inFormFor } from './either.js';
import { segmentTexts } from './texts.js';

const joins: readonly { value: Join; text: string }[] = [
  { value: 'all', text: 'all of these' },
  { value: 'any', text: 'any of these' },
  { value: 'none', text: 'none of these' },
];

interface GroupProps {
  group: Group;
  onChange: (group: Group) => void;
  /** 1 for the whole, 2 for a group inside. */
  level: 1 | 2;
  onRemove?: () => void;
}

/** Conditions, joined by all, any or none. */
export function GroupBuilder({ group, onChange, level, onRemove }: GroupProps) {
  const replace = (changed: Rule | Group): void =>
    onChange({ ...group, of: group.of.map((child) => (child.id === changed.id ? changed : child)) });
  const remove = (id: number): void => onChange({ ...group, of: group.of.filter((child) => child.id !== id) });
  const add = (child: Rule | Group): void => onChange({ ...group, of: [...group.of, child] });
  return (
    <div
      class={level === 1 ? 'rules' : 'rules inner'}
      role="group"
      aria-label={level === 1 ? 'Conditions' : 'Group of conditions'}
    >
      <div class="row">
        <select
          class="input fit"
          aria-label="How the conditions are joined"
          value={group.join}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...group, join: value === 'any' ? 'any' : value === 'none' ? 'none' : 'all' })
          }
        >
          {joins.map(({ value, text }) => (
            <option value={value}>{text}</option>
          ))}
        </select>
        {onRemove ? (
          <Button kind="small" icon="trash" label="Remove group" onClick={onRemove}>
            {null}
          </Button>
        ) : null}
      </div>
      {group.of.map((child) =>
        child.is === 'rule' ? (
          <RuleRow key={child.id} rule={child} onChange={replace} onRemove={() => remove(child.id)} />
        ) : (
          <GroupBuilder key={child.id} group={child} level={2} onChange={replace} onRemove={() => remove(child.id)} />
        ),
      )}
      <div class="row">
        <Button kind="small" icon="plus" onClick={() => add(newRule())}>
          Add condition
        </Button>
        {level === 1 ? (
          <Button kind="small" icon="plus" onClick={() => add(newGroup())}>
            Add group
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface RuleProps {
  rule: Rule;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
}

function RuleRow({ rule, onChange, onRemove }: RuleProps) {
  const { family, name } = partsOf(rule.field);
  const setFamily = (next: string): void => {
    const [first] = operatorsOf(next);
    const op = first?.value ?? 'eq';
    const keptName = next.split('.')[0] === family.split('.')[0] ? name : '';
    onChange({ ...rule, field: fieldOf(next, keptName), op, value: startValue(next, op) });
  };
  const setOp = (op: string): void => {
    const same = controlOf(family, op) === controlOf(family, rule.op);
    const kept = family === 'properties' ? inFormFor(op, rule.value) : rule.value;
    onChange({ ...rule, op, value: same ? kept : startValue(family, op), either: true });
  };
  return (
    <div class="rule">
      <select
        class="input family"
        aria-label="What the condition is about"
        value={family}
        onChange={({ currentTarget }) => setFamily(currentTarget.value)}
      >
        {families.map(({ value, text }) => (
          <option value={value}>{text}</option>
        ))}
      </select>
      <NameControl
        family={family}
        name={name}
        onChange={(next) => onChange({ ...rule, field: fieldOf(family, next) })}
      />
      <select
        class="input op"
        aria-label="Comparison"
        value={rule.op}
        onChange={({ currentTarget }) => setOp(currentTarget.value)}
      >
        {operatorsOf(family, rule.op).map(({ value, text }) => (
          <option value={value}>{text}</option>
        ))}
      </select>
      <ValueControl family={family} rule={rule} onChange={(value) => onChange({ ...rule, value, either: true })} />
      <Button kind="small" icon="trash" label="Remove condition" onClick={onRemove}>
        {null}
      </Button>
    </div>
  );
}

function startValue(family: string, op: string): unknown {
  const control = controlOf(family, op);
  if (control === 'days') return 30;
  if (control === 'state') return 'granted';
  if (control === 'number') return 1;
  return control === 'list' ? [] : '';
}

interface NameProps {
  family: string;
  name: string;
  onChange: (name: string) => void;
}

/** The key of a property, the topic of a consent, the name of an event; nothing for other fields. */
function NameControl({ family, name, onChange }: NameProps) {
  const id = useId();
  const isConsent = family.startsWith('consent.');
  const isProperty = family === 'properties';
  const topics = useRead('audience.topic.list', { limit: 100 }, { enabled: isConsent });
  const contacts = useRead('audience.contact.list', { limit: 50 }, { enabled: isProperty });
  if (isConsent) {
    const known = topics.data?.topics ?? [];
    return (
      <>
        <select
          class="input name"
          aria-label="Topic"
          value={name}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          <option value="">Choose a topic</option>
          {name !== '' && !known.some(({ key }) => key === name) ? <option value={name}>{name}</option> : null}
          {known.map((topic) => (
            <option value={topic.key}>{topic.name}</option>
          ))}
        </select>
        {topics.error ? <Refusal error={topics.error} again={topics.again} /> : null}
      </>
    );
  }
  if (!isProperty && !family.startsWith('event.')) return null;
  // Keys of recent contacts are suggested; any other key can be typed.
  const keys = new Set(
    rowsAt(contacts.data, 'contacts').flatMap((contact) => Object.keys(rowAt(contact, 'properties'))),
  );
  return (
    <>
      <input
        class="input name mono"
        aria-label={isProperty ? 'Key of the property' : 'Name of the event'}
        title={isProperty ? segmentTexts.property : segmentTexts.event}
        placeholder={isProperty ? 'plan' : 'order.placed'}
        list={isProperty ? id : undefined}
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={id}>
        {[...keys].map((key) => (
          <option value={key} />
        ))}
      </datalist>
    </>
  );
}

const localTime = (value: unknown): string => {
  const date = new Date(typeof value === 'string' ? value : '');
  return Number.isNaN(date.getTime())
    ? ''
    : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

function ValueControl({ family, rule, onChange }: { family: string; rule: Rule; onChange: (value: unknown) => void }) {
  // “is” and its like take the text as typed: either.ts makes values of it. Comparisons need the number.
  const isText = family !== 'properties' || ['eq', 'neq', 'in', 'contains', 'starts_with'].includes(rule.op);
  switch (controlOf(family, rule.op)) {
    case 'none':
      return <span class="input-space" />;
    case 'days':
    case 'number':
      return (
        <input
          class="input value"
          type="number"
          min={0}
          aria-label={rule.op === 'within_days' ? 'Days' : 'Times'}
          value={String(rule.value)}
          onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? '' : Number(currentTarget.value))}
        />
      );
    case 'state':
      return (
        <select
          class="input value"
          aria-label="State"
          value={rule.value === true ? 'granted' : String(rule.value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          <option value="granted">subscribed</option>
          <option value="revoked">unsubscribed</option>
        </select>
      );
    case 'time':
      return (
        <input
          class="input value"
          type="datetime-local"
          aria-label="Time"
          value={localTime(rule.value)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString())
          }
        />
      );
    case 'list':
    case 'text':
      return (
        <PropertyInput
          key={`${family} ${rule.op}`}
          value={rule.value}
          isText={isText}
          isList={rule.op === 'in'}
          attributes={{ 'aria-label': rule.op === 'in' ? 'Values, separated by commas' : 'Value' }}
          onChange={onChange}
        />
      );
  }
}
