import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { isProduction, type AllSettings } from '#core/kernel/registry/startable.js';

/** The processes of svc on one machine (SVC_PROCESSES), and what each of them may use. */
interface Processes {
  readonly count: number;
  /** Database connections of each process. */
  readonly poolSize: number;
}

/** The most processes that `auto` starts. */
const mostAutomatic = 16;
/** Memory for each process that `auto` starts: a process under load needs 200 MiB, and the rest is for large calls. */
const bytesPerProcess = 512 << 20;
/** Connections of one process. */
const poolOfOne = 20;
/** Connections of all processes together, if that leaves each enough: MySQL accepts 151 by default. */
const poolOfAll = 100;
/** The fewest connections that a process can work with (SVC_DATABASE_POOL). */
const leastPool = 4;

/**
 * Returns the processes of a deployment.
 * @param machine what this machine offers, for `auto`
 */
export function processesOf({ core }: Pick<AllSettings, 'core'>, machine: () => Machine = thisMachine): Processes {
  const wanted = core.processes ?? (isProduction(core) ? 'auto' : '1');
  const count = wanted === 'auto' ? automaticCount(machine()) : Number(wanted);
  const poolSize = core.databasePool ?? Math.max(leastPool, Math.min(poolOfOne, Math.floor(poolOfAll / count)));
  return { count, poolSize };
}

/** What svc may use of a machine. */
export interface Machine {
  /** May be a fraction, if a container limits it. */
  readonly cores: number;
  readonly memoryBytes: number;
}

/** One process for each core, as far as the memory suffices. */
export const automaticCount = ({ cores, memoryBytes }: Machine): number =>
  Math.max(1, Math.min(mostAutomatic, Math.floor(cores), Math.floor(memoryBytes / bytesPerProcess)));

/** The cores and the memory of this machine or, if they are less, of the container or the unit that svc runs in. */
export const thisMachine = (): Machine => ({
  cores: Math.min(availableParallelism(), ...cgroupTexts('cpu.max').map(quotaOf)),
  // Without a limit, constrainedMemory returns more than any machine has, or 0.
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
});

/**
 * The cores that a cgroup may use, from the text of its `cpu.max`: the microseconds of each period, or `max`
 * (Linux, Documentation/admin-guide/cgroup-v2.rst). Node 20 does not consider it.
 */
export function quotaOf(text: string | undefined): number {
  const [, quota, period] = /^(\d+) (\d+)\s*$/.exec(text ?? '') ?? [];
  return quota === undefined || period === undefined ? Infinity : Number(quota) / Number(period);
}

/** A file of the cgroup at the root, which is the container's, and of the cgroup of this process, such as a unit's. */
function cgroupTexts(name: string): (string | undefined)[] {
  const own = /^0::(\/.+)$/m.exec(textOf('/proc/self/cgroup') ?? '')?.[1];
  return [textOf(`/sys/fs/cgroup/${name}`), ...(own === undefined ? [] : [textOf(`/sys/fs/cgroup${own}/${name}`)])];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not Linux, cgroup v1, or no limit.
    return undefined;
  }
}
