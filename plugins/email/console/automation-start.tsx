import { useId } from 'preact/hooks';
import { Card, has, Labelled, TextInput, useRead, type Row } from '#core/surfaces/console/kit/index.js';
import { AutomationCondition } from './automation-condition.js';
import { automationTexts } from './texts.js';

interface Start {
  readonly name: string;
  readonly triggerEvent: string;
  readonly triggerFilter: Row | null;
  readonly reenter: boolean;
}

interface StartProps<T extends Start> {
  definition: T;
  errorOf: (field: string) => string | undefined;
  onChange: (definition: T) => void;
}

/** What starts an automation, and for whom. */
export function StartForm<T extends Start>({ definition, errorOf, onChange }: StartProps<T>) {
  const id = useId();
  const { data } = useRead(
    'audience.segment.list',
    { limit: 1, suggest: true },
    { enabled: has('audience.segment.list') },
  );
  const { name, triggerEvent, triggerFilter, reenter } = definition;
  return (
    <Card title="Start">
      <TextInput
        label="Name"
        value={name}
        onInput={(next) => onChange({ ...definition, name: next })}
        error={errorOf('name')}
        required
      />
      <Labelled label="Event" hint={automationTexts.when} error={errorOf('triggerEvent')} required>
        {(attributes) => (
          <>
            <input
              class="input mono"
              type="text"
              autocomplete="off"
              spellcheck={false}
              list={id}
              {...attributes}
              value={triggerEvent}
              onInput={({ currentTarget }) => onChange({ ...definition, triggerEvent: currentTarget.value })}
            />
            <datalist id={id}>
              {(data?.suggestions?.events ?? []).map((event) => (
                <option value={event.name} />
              ))}
            </datalist>
          </>
        )}
      </Labelled>
      <label class="check">
        <input
          type="checkbox"
          checked={reenter}
          onChange={({ currentTarget }) => onChange({ ...definition, reenter: currentTarget.checked })}
        />
        <span>Enrol a contact again after an earlier run</span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={triggerFilter !== null}
          onChange={({ currentTarget }) =>
            onChange({
              ...definition,
              triggerFilter: currentTarget.checked ? { field: 'context.', op: 'eq', value: '' } : null,
            })
          }
        />
        <span>Only if a condition holds</span>
      </label>
      {triggerFilter ? (
        <AutomationCondition
          condition={triggerFilter}
          event={triggerEvent}
          error={errorOf('triggerFilter.field') ?? errorOf('triggerFilter.value') ?? errorOf('triggerFilter.op')}
          onChange={(next) => onChange({ ...definition, triggerFilter: next })}
        />
      ) : null}
    </Card>
  );
}
