import { loadPart, Refusal, useAttempt } from '#core/surfaces/console/kit/index.js';
import type { VisualProps } from './visual-editor.js';

/**
 * The visual editor. It is loaded when the first one opens: until then, or if that fails, the HTML is shown
 * (docs/decisions/0222-visual-editor.md).
 */
export function VisualEditor(props: VisualProps) {
  const { data, error, again } = useAttempt(() => loadPart(() => import('./visual-editor.js')), []);
  if (data) return <data.Visual {...props} />;
  return (
    <>
      {error === undefined ? null : <Refusal error={error} again={again} />}
      <pre class="text">{props.value}</pre>
    </>
  );
}
