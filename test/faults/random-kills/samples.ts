import { readdir, readFile } from 'node:fs/promises';
import type { Member } from './deployment.js';

/** The memory and the descriptors of a node; undefined without /proc. */
export interface Sample {
  readonly name: string;
  readonly mebibytes: number;
  readonly descriptors: number;
}

export async function sampleOf({ name, process: { pid } }: Member): Promise<Sample | undefined> {
  try {
    const [status, open] = await Promise.all([readFile(`/proc/${pid}/status`, 'utf8'), readdir(`/proc/${pid}/fd`)]);
    const kibibytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
    return { name, mebibytes: Math.round(kibibytes / 1024), descriptors: open.length };
  } catch {
    return undefined;
  }
}
