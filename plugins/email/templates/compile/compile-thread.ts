import { parentPort } from 'node:worker_threads';
import { announceReady } from '#core/runtime/thread-cpu.js';
import type { CompiledTemplate } from '../../tables/template.js';
import { compileTemplate, type CompileRequest } from './compile.js';

export type CompileReply = { ok: true; compiled: CompiledTemplate } | { ok: false; problem: string };

/* A thread of compile-pool.ts: answers each request in turn. */
function answer(request: CompileRequest): CompileReply {
  try {
    return { ok: true, compiled: compileTemplate(request) };
  } catch (error) {
    const isTooDeep = error instanceof RangeError;
    return {
      ok: false,
      problem: isTooDeep ? 'is nested too deeply' : `cannot be read: ${String(error).slice(0, 150)}`,
    };
  }
}

parentPort?.on('message', (request: CompileRequest) => parentPort?.postMessage(answer(request)));
announceReady();
