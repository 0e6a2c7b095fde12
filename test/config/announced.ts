import { announce } from '#scripts/announce.js';
import type { Platform } from '#core/platform/platform.js';
import type { TableSize } from '#core/runtime/database/server/table-sizes.js';

/** The lines that a start of this platform prints. */
export function announced(platform: Platform, tables?: readonly TableSize[]): string[] {
  const lines: string[] = [];
  const state = {
    databaseUrl: '',
    secretKey: Buffer.alloc(0),
    description: 'a test database',
    stop: async () => undefined,
  };
  announce({ platform, state, say: (line) => void lines.push(line), seconds: 1, tables });
  return lines;
}
