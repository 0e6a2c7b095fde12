import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import type { Change } from '#core/kernel/context.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { SegmentRow } from '../tables/segment.js';

/**
 * The changes of a segment for the audit record. Definitions are shown as keyed digests, because they may name people,
 * and an erasure would not find the names there.
 * @param before null for a new segment
 */
export function segmentChanges(vault: Vault, before: SegmentRow | null, after: SegmentRow): Change[] {
  const shown = ({ name, definition }: SegmentRow): { name: string; definition: string } => {
    const digest = vault.digest(definition, { table: 'svc_activity', column: 'changes' });
    return { name, definition: `digest ${digest.toString('hex').slice(0, 32)}` };
  };
  const fields = ['name', 'definition'] as const;
  return before ? changesBetween(shown(before), shown(after), fields) : newFields(shown(after), fields);
}
