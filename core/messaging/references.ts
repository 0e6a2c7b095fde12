import { counted } from '#config/counted.js';
import { idText } from '#core/runtime/id.js';

/** How many things of one type refer to something, such as a topic or a sending domain. */
export interface ReferenceCount {
  /** The type, as refusals name it: `broadcast`, `automation`. */
  type: string;
  count: number;
  /** Ids of some of them, the newest first; none if no operation reads the type by id, as for a default sender. */
  ids?: readonly string[];
}

/** The maximum number that a refusal names of each type. */
const mostNamed = 3;

/** The columns of a query of a table of references, grouped by `in_use_by_type`, that `referenceCounts` reads. */
export const referenceColumns = `in_use_by_type AS type, COUNT(*) AS count,
  SUBSTRING_INDEX(GROUP_CONCAT(HEX(in_use_by_id) ORDER BY in_use_by_id DESC), ',', ${mostNamed}) AS ids`;

export interface ReferenceCountRow {
  readonly type: Buffer;
  readonly count: number;
  readonly ids: string;
}

/** The types that an operation reads by id. */
const readableTypes = ['broadcast', 'automation'];

/** The references in the rows of a query of `referenceColumns`. */
export const referenceCounts = (rows: readonly ReferenceCountRow[]): ReferenceCount[] =>
  rows.map(({ type: stored, count, ids }) => {
    const type = stored.toString();
    const found = ids.split(',').map((hex) => idText(Buffer.from(hex, 'hex')));
    return { type, count, ids: readableTypes.includes(type) ? found : [] };
  });

/** References as refusals name them: “2 automations (<id>, <id>) and 1 broadcast (<id>)”. */
export function describeReferences(counts: readonly ReferenceCount[]): string {
  const parts = counts.map(({ type, count, ids = [] }) => {
    const more = count > ids.length ? ', …' : '';
    return `${counted(count, type)}${ids.length > 0 ? ` (${ids.join(', ')}${more})` : ''}`;
  });
  const last = parts.at(-1) ?? 'nothing';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
