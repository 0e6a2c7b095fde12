import { idBytes, newId } from '../../id.js';
import type { Session } from '../session.js';

/** A value of the row in svc_heartbeat. */
export interface Beat {
  /** By the primary's clock. */
  readonly at: Date;
  /**
   * A time of this process's clock, not after the moment at which the primary wrote the value: a server that has the
   * value has everything that was committed before this time.
   */
  readonly writtenAt: number;
}

type Primary = Pick<Session, 'batch' | 'rows'>;

/** The values that this process has seen on the primary. */
export interface Heartbeat {
  /** Changes the row, unless another process has done it within a second, and notes its values. */
  beat(primary: Primary): Promise<void>;
  /** Notes the values of the row. */
  look(primary: Primary): Promise<void>;
  /** @returns undefined for a value that the primary does not have, or that is old */
  find(value: Buffer): Beat | undefined;
}

/** One value a second, from all processes together. */
export const changeHeartbeat = `UPDATE svc_heartbeat SET previous_beat = beat, previous_at = at, beat = ?, at = NOW(3)
  WHERE id = 1 AND at NOT BETWEEN NOW(3) - INTERVAL 900000 MICROSECOND AND NOW(3)`;
const read = 'SELECT beat, at, previous_beat, previous_at, NOW(3) AS present FROM svc_heartbeat WHERE id = 1';
export const readOfReplica = 'SELECT beat FROM svc_heartbeat WHERE id = 1';

interface Row {
  readonly beat: Buffer | null;
  readonly at: Date;
  readonly previous_beat: Buffer | null;
  readonly previous_at: Date;
  readonly present: Date;
}

/** How long a value is known, in milliseconds. */
const keptMs = 3_600_000;

/**
 * Remembers the values of the heartbeat. Only the copies of this primary have them, so they also prove that a server
 * is one: a copy of an old backup has no recent value.
 * @param now this process's clock in milliseconds, which never jumps
 */
export function createHeartbeat(now: () => number): Heartbeat {
  /** By value, oldest first. */
  const beats = new Map<string, Beat>();

  const note = (value: Buffer | null, at: Date, present: Date, askedAt: number): void => {
    const ageMs = present.getTime() - at.getTime();
    // The time of a server that was the primary before, whose clock was ahead.
    if (value === null || ageMs < 0) return;
    const key = value.toString('hex');
    if (!beats.has(key)) beats.set(key, { at, writtenAt: askedAt - ageMs });
  };
  const forget = (): void => {
    for (const [key, { writtenAt }] of beats) {
      if (now() - writtenAt < keptMs) return;
      beats.delete(key);
    }
  };
  const noteRow = (row: Row | undefined, askedAt: number): void => {
    if (!row) return;
    note(row.previous_beat, row.previous_at, row.present, askedAt);
    note(row.beat, row.at, row.present, askedAt);
    forget();
  };

  return {
    async beat(primary) {
      const askedAt = now();
      const answers = await primary.batch(`${changeHeartbeat};\n${read}`, [idBytes(newId())]);
      noteRow(answers.flat().find(isRow), askedAt);
    },
    async look(primary) {
      const askedAt = now();
      const [row] = await primary.rows<Row>(read);
      noteRow(row, askedAt);
    },
    find: (value) => beats.get(value.toString('hex')),
  };
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && 'previous_beat' in value && 'present' in value;
