import { messagingRefusalOf } from '#core/messaging/errors.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import { checkParts, refuseUntaken } from '#core/messaging/templates/render-pool.js';
import { createThreadPool, ThreadEnded, type ThreadOwner } from '#core/runtime/thread-pool.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import type { CompiledTemplate, TemplateSource } from '../../tables/template.js';
import type { CompileRequest } from './compile.js';
import type { CompileReply } from './compile-thread.js';

const pool = createThreadPool<CompileRequest, CompileReply>({
  module: new URL('./compile-thread.js', import.meta.url),
  maxThreads: 2,
  maxWaiting: 100,
  // One locale of a template. Ordinary templates take a few milliseconds.
  cpuMs: 5_000,
  heapMb: 256,
});

/** The most characters of compiled HTML, which is also the most that rendering writes. */
const maxCompiled = 1_048_576;

/** template_invalid for a content as a whole. */
const invalid = (locale: string, part: string, problem: string): SvcError =>
  messagingRefusalOf.template_invalid({
    part: `${part} in ${locale}`,
    line: 1,
    column: 1,
    problem,
    details: { locale, part, line: 1, column: 1 },
  });

/**
 * Compiles one locale of a template in a thread.
 * @param owner turnsOf the environment whose template it is
 * @throws template_invalid if the HTML takes too long or cannot be read; rate_limited if too many are waiting;
 * unavailable on a busy machine
 */
export async function compileInThread(owner: ThreadOwner, request: CompileRequest): Promise<CompiledTemplate> {
  const { locale } = request;
  const reply = await pool.run(owner, request).catch((error: unknown): CompileReply => {
    if (error instanceof ThreadEnded) return { ok: false, problem: error.message };
    return refuseUntaken(error, 'too many templates of this environment are being compiled');
  });
  if (!reply.ok) throw invalid(locale, 'html', reply.problem);
  const { compiled } = reply;
  if ((compiled.html?.length ?? 0) > maxCompiled || compiled.text.length > maxCompiled)
    throw invalid(locale, 'html', `has more than ${maxCompiled} characters once its CSS is inlined`);
  // Inlining moves Liquid tags in unusual places, such as half an attribute.
  const parts = [
    { source: compiled.html ?? '', escaping: 'html' as const },
    { source: compiled.text, escaping: 'none' as const },
  ];
  for (const checked of await checkParts(owner, parts))
    if (!checked.ok) throw invalid(locale, 'html', `is not valid once its CSS is inlined: ${checked.problem}`);
  return compiled;
}

/**
 * Compiles all locales of a template.
 * @returns by locale
 * @throws as compileInThread
 */
export async function compileAll(
  owner: ThreadOwner,
  sources: Readonly<Record<string, TemplateSource>>,
  theme: PageTheme,
): Promise<Record<string, CompiledTemplate>> {
  const compiled: Record<string, CompiledTemplate> = {};
  for (const [locale, source] of Object.entries(sources))
    compiled[locale] = await compileInThread(owner, { source, locale, theme });
  return compiled;
}
