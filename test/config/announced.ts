import { announce } from '#scripts/announce.js';
import type { Platform } from '#core/platform/platform.js';
import type { TableSize } from '#core/runtime/database/server/table-sizes.js';

/** The lines that a start of this platform prints. */
export function announced(platform: Platform, tables?: readonly TableSize[]): string[] {
  const lines: string[] = [];
  announce({ platform, description: 'a test database', say: (line) => void lines.push(line), seconds: 1, tables });
  return lines;
}
