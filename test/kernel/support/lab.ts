import { randomBytes } from 'node:crypto';
import type { Operation } from '#core/kernel/operation.js';
import { definePlugin, type Plugin } from '#core/kernel/plugin.js';
import type { RawAnswer } from '#test/support/api.js';
import type { TestPlatform } from '#test/support/platform.js';

/** A product of the test's own, for what no product shows. */
export const lab = (...operations: readonly Operation[]): Plugin =>
  definePlugin({ name: 'lab', summary: 'What no product shows.', tables: [], operations, events: {}, errors: {} });

/** The one table that the lab's operations write. */
export async function createThings(platform: TestPlatform): Promise<void> {
  await platform.running.services.database.run(
    'CREATE TABLE lab_thing (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(300) NOT NULL)',
  );
}

export const newKey = (): string => `test-${randomBytes(8).toString('hex')}`;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The fields of an answer's `name` object: `result` or `error`. */
export function partOf(text: string, name: 'result' | 'error'): Record<string, unknown> {
  const body: unknown = JSON.parse(text);
  const part: unknown = isRecord(body) ? body[name] : undefined;
  if (!isRecord(part)) throw new Error(`The answer has no ${name}: ${text}`);
  return part;
}

export const codeOf = ({ text }: Pick<RawAnswer, 'text'>): unknown => partOf(text, 'error')['code'];
export const replayed = ({ headers }: Pick<RawAnswer, 'headers'>): boolean =>
  headers.get('Idempotent-Replayed') === 'true';
