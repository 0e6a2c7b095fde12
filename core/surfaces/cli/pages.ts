import type { Answer, CallTarget } from './call.js';
import type { CliOperation } from './command-catalogue.js';
import { patientCall } from './patient-call.js';
import { withProgress } from './terminal/progress.js';

/** Fetches every page of a list and joins them. */
export async function allPages(
  operation: CliOperation,
  target: CallTarget,
  input: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const field = operation.list?.field ?? '';
  const items: unknown[] = [];
  const pageInput = { ...('limit' in operation.input ? { limit: 100 } : {}), ...input };
  return withProgress(
    () => `${operation.name}: ${items.length}`,
    async () => {
      for (let before: unknown = undefined; ;) {
        const sent = before === undefined ? pageInput : { ...pageInput, before };
        const answer = await patientCall(target, operation.name, sent, { hasAnswered: before !== undefined });
        const found = answer.result[field];
        if (Array.isArray(found)) items.push(...found.map((each: unknown) => each));
        before = answer.result['nextBefore'];
        if (typeof before !== 'string') return { ...answer, result: { ...answer.result, [field]: items } };
      }
    },
  );
}
