interface BoundedExpression {
  readonly file: string;
  readonly source: string;
  /** The longest text that it meets, and the time that it takes for the worst text that was found (measured). */
  readonly limit: string;
}

const own = 'Our own text, not a stranger’s';
const thread = 'Texts of a template in a thread that ends after 5 s of CPU time (compile-pool.ts)';

/** Expressions that are not linear, or not proven to be, and whose text is short. */
export const bounded: readonly BoundedExpression[] = [
  {
    file: 'core/runtime/database/read-session.ts',
    source: '^\\s*(\\(\\s*)*(SELECT|WITH|SHOW|EXPLAIN|SET\\s+STATEMENT\\s+.*?\\bFOR\\s+SELECT)\\b',
    limit: `${own}: SQL without its values, each text once; 10,000 characters: 0.2 ms`,
  },
  {
    file: 'core/runtime/database/server/vitess.ts',
    source: '[:@].*$',
    limit: 'The address of the database, a setting. 254 characters: 0.2 ms',
  },
  {
    file: 'core/runtime/database/statement-text.ts',
    source: "\\?|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`|--\\s[^\\n]*|\\/\\*(?![!+])[\\s\\S]*?\\*\\/",
    limit: `${own}: SQL without its values, each text once; 20,000 characters: 19 ms`,
  },
  {
    file: 'core/runtime/jobs/backend.ts',
    source: '[?&][^=]*=([^&]*)',
    limit: 'SVC_JOBS_URL, a setting. 4,000 characters: 11 ms',
  },
  {
    file: 'core/runtime/private-server/processes.ts',
    source: '^\\s*(\\d+)\\s+(.*)$',
    limit: 'A line of ps, on machines without a database of their own. 4,000 characters: 0.1 ms',
  },
  {
    file: 'core/surfaces/mcp/server.ts',
    source: ';? *(the operation’s input is described at|see) \\/openapi\\.json[^.;]*',
    limit: `${own}: the fix of a refusal; 2,000 characters: 2.8 ms`,
  },
  {
    file: 'plugins/auth/passwords/schemes.ts',
    source: '([^$]+)\\$([^$]+)$',
    limit: 'A hash that parseHash read, at most 512 characters (maxHashLength): less than 1.1 ms',
  },
  { file: 'plugins/billing/money/micros.ts', source: '0+$', limit: 'The six digits of micro-units' },
  {
    file: 'plugins/email/domains/rotation.ts',
    source: '\\d+$',
    limit: 'A selector that svc chose, 63 characters by RFC 1035: less than 0.1 ms',
  },
  {
    file: 'plugins/email/inbound/parse/charset.ts',
    source: '<meta\\s[^>]{0,500}charset\\s*=\\s*["\']?\\s*([\\w.:-]+)',
    limit: 'The first 4,096 bytes of a part, in a thread: 17 ms',
  },
  {
    file: 'plugins/email/inbound/parse/html.ts',
    source: '<base\\s[^>]{0,500}?href\\s*=\\s*["\']?([^"\'\\s>]{1,500})',
    limit: 'The first 16,384 characters of a mail, in a thread: 2.6 ms',
  },
  {
    file: 'plugins/email/inbound/parse/repair.ts',
    source: '^--([^\\s"][^\\r\\n"]{0,199}?)[ \\t]*\\r?\\n(?:[\\w-]{1,80}:|\\r?\\n)',
    limit: 'The first 64 KiB of a multipart mail (mostSearched), in a thread: 25 ms',
  },
  {
    file: 'plugins/email/pages/mailbox/scaling.ts',
    source: '@media[^{]{0,200}max-(?:device-)?width',
    limit: 'A mail in the mailbox of a development machine, which is not in production. 1 MiB: 87 ms',
  },
  {
    file: 'plugins/email/signing/sign.ts',
    source: '(.{1,70}(?::|$))',
    limit: `${own}: the names of signed headers; 2,000 characters: 0.1 ms`,
  },
  {
    file: 'plugins/email/templates/compile/compile.ts',
    source: '<!--[\\s\\S]*?-->|<style\\b[^>]*>[\\s\\S]*?<\\/style\\s*>',
    limit: `${thread}: 200,000 characters take 2 s`,
  },
  {
    file: 'plugins/email/templates/compile/liquid-marks.ts',
    source:
      '\\{%-?\\s*(raw|comment)\\s*-?%\\}[\\s\\S]*?\\{%-?\\s*end\\1\\s*-?%\\}|\\{\\{[\\s\\S]*?\\}\\}|\\{%[\\s\\S]*?%\\}',
    limit: `${thread}: 5,000 tags and 1 MB take 2.8 s`,
  },
  {
    file: 'plugins/email/templates/compile/template-page.ts',
    source: '(\\0+|\\x01[^\\x02]*\\x02)',
    limit: `${thread}: 100,000 characters take 5.8 s, which ends the thread`,
  },
  {
    file: 'plugins/email/inbound/parse/addresses.ts',
    source: '^(?:"(?:[^"\\\\]|\\\\.)*"|[^\\s"<>(),;]+)@(?:\\[[^\\]]+\\]|[^\\s"<>(),;@[\\]]+)$',
    limit: 'A word of at most 1,000 characters (mostInAddress), in a thread: 0.2 ms',
  },
];
