import { counted, Notice, useLater, useRead, type Row } from '#core/surfaces/console/kit/index.js';
import { stepAt, stepText } from './steps.js';
import { automationTexts } from './texts.js';

interface EditProps {
  automationId: string;
  saved: readonly Row[];
  edited: readonly Row[];
  /** Runs in progress by step. */
  byStep: Readonly<Record<string, number>>;
}

/** What saving the edited steps means for the people who are in the automation. */
export function EditEffect({ automationId, saved, edited, byStep }: EditProps) {
  const steps = useLater(edited);
  const inside = Object.entries(byStep).filter(([, count]) => count > 0);
  const isChanged = JSON.stringify(steps) !== JSON.stringify(saved);
  const { data } = useRead(
    'email.automation.get',
    { automationId, steps: [...steps] },
    { enabled: isChanged && inside.length > 0 && steps.length > 0 },
  );
  const moves = data?.moves;
  if (!isChanged || inside.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>{automationTexts.edit}</p>
      {moves ? (
        <ul class="plain-list">
          {inside.map(([place, count]) => {
            const step = stepAt(saved, place);
            const title = step ? stepText(step).title : '';
            return (
              <li key={place}>
                {`${counted(count, 'run')} at “${title}”: ${(moves[place] ?? null) === null ? automationTexts.ends : automationTexts.stays}`}
              </li>
            );
          })}
        </ul>
      ) : null}
    </Notice>
  );
}
