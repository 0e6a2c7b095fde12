import { useId } from 'preact/hooks';
import {
  automationFamilies,
  automationOperators,
  controlOf,
  families,
  fieldOf,
  operatorsOf,
  partsOf,
} from './condition-fields.js';
import { Button } from './page.js';
import { PropertyInput } from './property-input.js';
import { useRead } from './read.js';
import { Refusal } from './refusal.js';

/* One condition, for segments, and for the triggers and branches of automations. */

export interface ConditionValues {
  readonly field: string;
  readonly op: string;
  readonly value: unknown;
}

interface ConditionProps {
  condition: ConditionValues;
  /** @param typed whether the comparison or the value was chosen, not only the field */
  onChange: (next: ConditionValues, typed: boolean) => void;
  /** Of an automation: on the contact and the event, with values that have a type. */
  ofAutomation?: boolean;
  /** The event whose properties are offered. */
  event?: string;
  /** The value of a property in the form that another comparison takes. */
  keepValue?: (op: string, value: unknown) => unknown;
  onRemove?: () => void;
  /** What is wrong with its field. */
  error?: string | undefined;
}

/** What it is about, the comparison and the value, each as a choice where one is possible. */
export function ConditionRow(props: ConditionProps) {
  const { condition, onChange, ofAutomation = false, event, keepValue, onRemove, error } = props;
  const errorId = useId();
  const { family, name } = partsOf(condition.field);
  const among = ofAutomation ? automationOperators : undefined;
  const offered = ofAutomation ? automationFamilies : families;
  const setFamily = (next: string): void => {
    const [first] = operatorsOf(next, undefined, among);
    const op = first?.value ?? 'eq';
    const keptName = next.split('.')[0] === family.split('.')[0] ? name : '';
    onChange({ field: fieldOf(next, keptName), op, value: startValue(next, op) }, false);
  };
  const setOp = (op: string): void => {
    const same = controlOf(family, op) === controlOf(family, condition.op);
    const kept = family === 'properties' && keepValue ? keepValue(op, condition.value) : condition.value;
    onChange({ ...condition, op, value: same ? kept : startValue(family, op) }, true);
  };
  return (
    <div class="rule">
      <select
        class="input family"
        aria-label="What the condition is about"
        value={family}
        onChange={({ currentTarget }) => setFamily(currentTarget.value)}
      >
        {offered.map(({ value, text }) => (
          <option value={value}>{text}</option>
        ))}
      </select>
      <NameControl
        family={family}
        name={name}
        event={event}
        error={error === undefined ? undefined : errorId}
        onChange={(next) => onChange({ ...condition, field: fieldOf(family, next) }, false)}
      />
      <select
        class="input op"
        aria-label="Comparison"
        value={condition.op}
        onChange={({ currentTarget }) => setOp(currentTarget.value)}
      >
        {operatorsOf(family, condition.op, among).map(({ value, text }) => (
          <option value={value}>{text}</option>
        ))}
      </select>
      <ValueControl
        family={family}
        condition={condition}
        typed={ofAutomation}
        onChange={(value) => onChange({ ...condition, value }, true)}
      />
      {onRemove ? (
        <Button kind="small" icon="trash" label="Remove condition" onClick={onRemove}>
          {null}
        </Button>
      ) : null}
      {error === undefined ? null : (
        <span class="error" id={errorId}>
          {error}
        </span>
      )}
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
  event: string | undefined;
  /** The id of the text that says what is wrong. */
  error: string | undefined;
  onChange: (name: string) => void;
}

/** The key of a property, the topic of a consent, the name of an event; nothing for other fields. */
function NameControl({ family, name, event, error, onChange }: NameProps) {
  const id = useId();
  const isConsent = family.startsWith('consent.');
  const isProperty = family === 'properties' || family === 'context';
  const topics = useRead('audience.topic.list', { limit: 100 }, { enabled: isConsent });
  const isNamed = isProperty || family.startsWith('event.');
  const { data } = useRead('audience.segment.list', { limit: 1, suggest: true }, { enabled: isNamed });
  const invalid = { 'aria-invalid': error !== undefined || undefined, 'aria-describedby': error };
  if (isConsent) {
    const known = topics.data?.topics ?? [];
    return (
      <>
        <select
          class="input name"
          aria-label="Topic"
          {...invalid}
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
  if (!isNamed) return null;
  const events = data?.suggestions?.events ?? [];
  const names =
    family === 'context'
      ? (events.find((each) => each.name === event)?.properties ?? [])
      : isProperty
        ? (data?.suggestions?.properties ?? [])
        : events.filter(({ recorded }) => recorded).map((each) => each.name);
  return (
    <>
      <input
        class="input name mono"
        aria-label={isProperty ? 'Key of the property' : 'Name of the event'}
        title={
          isProperty ? 'The key of a property, such as plan.' : 'The name of a recorded event, such as order.placed.'
        }
        placeholder={isProperty ? 'plan' : 'order.placed'}
        list={id}
        autocomplete="off"
        spellcheck={false}
        {...invalid}
        value={name}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={id}>
        {names.map((value) => (
          <option value={value} />
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

interface ValueProps {
  family: string;
  condition: ConditionValues;
  /** Whether a number, true and false are sent as such by every comparison. */
  typed: boolean;
  onChange: (value: unknown) => void;
}

function ValueControl({ family, condition: rule, typed, onChange }: ValueProps) {
  // In a segment, “is” and its like take the text as typed: either.ts of audience makes values of it.
  const isText =
    !typed && (family !== 'properties' || ['eq', 'neq', 'in', 'contains', 'starts_with'].includes(rule.op));
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
