import { Fragment } from 'preact';
import { counted, Icon, textAt, type IconName, type Row } from '#core/surfaces/console/kit/index.js';
import { markAt, type Marks } from './automation-marks.js';
import { armsOf, newSteps, stepText } from './steps.js';

interface Mark {
  readonly tone: 'good' | 'warn' | 'bad' | '';
  readonly text: string;
}

interface StepFigures {
  readonly entered: number;
  readonly sent: number;
  readonly blocked: number;
  readonly then: number;
  readonly else: number;
  readonly left: number;
}

interface TreeProps {
  trigger: { readonly title: string; readonly detail: string };
  steps: readonly Row[];
  /** Runs that are at each step. */
  waiting?: Readonly<Record<string, number>>;
  /** What is wrong, by field. */
  marks?: Marks;
  /** What happened at each step. */
  figures?: Readonly<Record<string, StepFigures>> | undefined;
  /** What one run did at each step. */
  taken?: ReadonlyMap<string, Mark>;
  /** The place that is selected; `trigger` for the start. */
  selected?: string;
  onSelect?: (place: string) => void;
  /** Adds a step to a list such as steps[1].then. */
  onInsert?: (list: string, index: number, step: Row) => void;
}

const icons: Readonly<Record<string, IconName>> = {
  send: 'mail',
  wait: 'refresh',
  branch: 'right',
  'property.set': 'user',
};

/** An automation as a tree, from the event that starts it to its ends. */
export const AutomationTree = (props: TreeProps) => (
  <div class="tree" role="group" aria-label="Steps of the automation">
    <Node
      {...props}
      place="trigger"
      icon="play"
      start
      title={props.trigger.title}
      detail={props.trigger.detail}
      problem={props.marks && markAt(props.marks, 'trigger')}
    />
    <StepList list="steps" {...props} />
  </div>
);

function StepList({ list, ...props }: TreeProps & { list: string }) {
  const { steps, onInsert } = props;
  return (
    <>
      <Add list={list} index={0} onInsert={onInsert} />
      {steps.map((step, at) => {
        const place = `${list}[${at}]`;
        const { title, detail } = stepText(step);
        const arms = armsOf(step);
        return (
          <Fragment key={place}>
            <Node
              {...props}
              place={place}
              icon={icons[textAt(step, 'type')] ?? 'list'}
              title={title}
              detail={detail}
              problem={props.marks && markAt(props.marks, place)}
            />
            {arms.length === 0 ? null : (
              <div class="fork">
                {arms.map(({ arm, steps: below }) => (
                  <div class="arm" key={arm}>
                    <span class="arm-label">{`${arm === 'then' ? 'Yes' : 'No'}${shareOf(props.figures?.[place], arm)}`}</span>
                    <StepList {...props} list={`${place}.${arm}`} steps={below} />
                  </div>
                ))}
              </div>
            )}
            <Add list={list} index={at + 1} onInsert={onInsert} />
          </Fragment>
        );
      })}
      <span class="end">{list === 'steps' ? 'End' : 'Goes on'}</span>
    </>
  );
}

const number = new Intl.NumberFormat('en');

/** How many runs took an arm: “ · 31%”. */
function shareOf(figures: StepFigures | undefined, arm: 'then' | 'else'): string {
  const total = (figures?.then ?? 0) + (figures?.else ?? 0);
  return figures && total > 0 ? ` · ${Math.round((figures[arm] / total) * 100)}%` : '';
}

/** What happened at a step: “120 entered, 118 sent, 2 blocked”. */
const figuresText = (figures: StepFigures | undefined): string =>
  figures === undefined || figures.entered === 0
    ? ''
    : (['entered', 'sent', 'blocked', 'left'] as const)
        .filter((name) => figures[name] > 0)
        .map((name) => `${number.format(figures[name])} ${name}`)
        .join(', ');

interface NodeProps extends Omit<TreeProps, 'trigger' | 'steps' | 'marks'> {
  place: string;
  icon: IconName;
  title: string;
  detail: string;
  problem?: string | undefined;
  start?: boolean;
}

function Node({
  place,
  icon,
  title,
  detail,
  problem,
  start = false,
  waiting = {},
  figures,
  taken,
  selected,
  onSelect,
}: NodeProps) {
  const count = waiting[place] ?? 0;
  const mark = taken?.get(place);
  const numbers = figuresText(figures?.[place]);
  const classes = `node ${start ? 'start' : ''} ${problem === undefined ? '' : 'err'} ${taken && !mark && !start ? 'skipped' : ''}`;
  const content = (
    <>
      <span class="icon">
        <Icon name={icon} />
      </span>
      <span class="what">
        <b>{title}</b>
        {detail === '' ? null : <small>{detail}</small>}
        {problem === undefined ? null : <small class="bad-text">{problem}</small>}
        {numbers === '' ? null : <small class="figures">{numbers}</small>}
        {mark ? <small class={`st ${mark.tone}`}>{mark.text}</small> : null}
      </span>
      {count === 0 ? null : <em>{counted(count, 'run')} here</em>}
    </>
  );
  return onSelect ? (
    <button type="button" class={classes} aria-pressed={selected === place} onClick={() => onSelect(place)}>
      {content}
    </button>
  ) : (
    <div class={classes}>{content}</div>
  );
}

const Add = ({ list, index, onInsert }: { list: string; index: number; onInsert: TreeProps['onInsert'] }) =>
  onInsert ? (
    <span class="wire">
      <select
        class="add"
        aria-label="Add a step here"
        value=""
        onChange={({ currentTarget }) => {
          const chosen = newSteps.find(({ type }) => type === currentTarget.value);
          currentTarget.value = '';
          if (chosen) onInsert(list, index, chosen.step);
        }}
      >
        <option value="">+</option>
        {newSteps.map(({ type, text }) => (
          <option value={type}>{text}</option>
        ))}
      </select>
    </span>
  ) : (
    <span class="wire" />
  );
