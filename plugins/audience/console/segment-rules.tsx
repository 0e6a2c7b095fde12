import { Button, ConditionRow } from '#core/surfaces/console/kit/index.js';
import { newGroup, newRule, type Group, type Join, type Rule } from './definition.js';
import { inFormFor } from './either.js';

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
          <ConditionRow
            key={child.id}
            condition={child}
            keepValue={inFormFor}
            onChange={(changed, typed) => replace({ ...child, ...changed, ...(typed ? { either: true } : {}) })}
            onRemove={() => remove(child.id)}
          />
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
