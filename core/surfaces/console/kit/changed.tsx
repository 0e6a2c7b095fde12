import { isSvcError } from '../../sdk/errors.js';
import { Button } from './page.js';
import { Refusal } from './refusal.js';

interface SaveProblemProps {
  /** Why a save was refused; nothing is shown without one. */
  error: unknown;
  /** Somebody decided to keep their changes. @param updatedAt of what was saved in the meantime */
  onKeep: (updatedAt: string) => void;
}

/**
 * Why a save was refused. If somebody else has saved the thing in the meantime, it says who, and the person decides:
 * what they typed stays, and the next save changes only their own fields.
 */
export function SaveProblem({ error, onKeep }: SaveProblemProps) {
  if (error === undefined) return null;
  const updatedAt = isSvcError(error) && error.code === 'changed_meanwhile' ? error.details['updatedAt'] : undefined;
  if (typeof updatedAt !== 'string') return <Refusal error={error} />;
  return (
    <>
      <Refusal error={error} />
      <p class="row">
        <Button onClick={() => onKeep(updatedAt)}>Keep my changes and save again</Button>
      </p>
    </>
  );
}
