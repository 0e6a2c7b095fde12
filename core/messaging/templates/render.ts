import { Liquid, type Template } from 'liquidjs';

/*
 * Templates are Liquid (liquidjs): people know it, it runs no code of theirs, and output, time and memory are capped. Values are
 * never rendered twice: a value that holds {{ … }} comes out as those characters.
 */

export type Escaping = 'html' | 'none';

const limits = { parseLimit: 2_000_000, renderLimit: 500, memoryLimit: 20_000_000 };

const engine = (escaping: Escaping): Liquid =>
  new Liquid({
    strictVariables: true,
    // `default` and `if` are how a template says that a variable may be absent.
    lenientIf: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // Without this, {% include %} reads files of the server (seen).
    templates: {},
    relativeReference: false,
    cache: false,
    ...(escaping === 'html' ? { outputEscape: 'escape' as const } : {}),
    ...limits,
  });

const engines = { html: engine('html'), none: engine('none') } as const;

export type Parsed =
  | { ok: true; templates: Template[]; variables: string[] }
  | { ok: false; line: number; column: number; problem: string };

const at = (error: unknown): { line: number; column: number; problem: string } => {
  const message = error instanceof Error ? error.message : String(error);
  const found = /line:(\d+), col:(\d+)/.exec(message);
  return {
    line: Number(found?.[1] ?? 1),
    column: Number(found?.[2] ?? 1),
    problem: message.replace(/, (file:[^,]*, )?line:\d+.*$/s, '').slice(0, 200),
  };
};

/** Could this text hold a template at all? Most bodies do not, and are left alone. */
const isPlain = (source: string): boolean => !source.includes('{{') && !source.includes('{%');

/** Parses, and finds the variables that the template asks for. */
export function parseTemplate(source: string, escaping: Escaping): Parsed {
  if (isPlain(source)) return { ok: true, templates: [], variables: [] };
  try {
    const templates = engines[escaping].parse(source);
    return { ok: true, templates, variables: engines[escaping].globalVariablesSync(templates) };
  } catch (error) {
    return { ok: false, ...at(error) };
  }
}

export type Rendered =
  | { ok: true; text: string }
  | { ok: false; missing: string[] }
  | { ok: false; line: number; column: number; problem: string };

/** More missing names than this are not worth naming. */
const mostMissing = 50;

/** Renders a source with variables; names every variable that is missing, or where the trouble stands. */
export function renderTemplate(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  escaping: Escaping,
): Rendered {
  if (isPlain(source)) return { ok: true, text: source };
  const missing: string[] = [];
  // The engine stops at the first undefined variable; standing in for it finds the next.
  let scope: Record<string, unknown> = { ...variables };
  for (;;) {
    try {
      const text: unknown = engines[escaping].parseAndRenderSync(source, scope);
      return missing.length > 0 ? { ok: false, missing } : { ok: true, text: String(text) };
    } catch (error) {
      const name = /undefined variable: ([^,\s]+)/.exec(error instanceof Error ? error.message : '')?.[1];
      if (name === undefined) return missing.length > 0 ? { ok: false, missing } : { ok: false, ...at(error) };
      if (missing.includes(name) || missing.length >= mostMissing) return { ok: false, missing };
      missing.push(name);
      scope = withStandIn(scope, name.split('.'));
    }
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withStandIn(scope: Record<string, unknown>, [head = '', ...rest]: string[]): Record<string, unknown> {
  const inner = scope[head];
  return { ...scope, [head]: rest.length === 0 ? '' : withStandIn(isRecord(inner) ? inner : {}, rest) };
}
