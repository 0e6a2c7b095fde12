import { existsSync } from 'node:fs';
import { stateFolderWarning } from '#core/platform/state-folder.js';
import { firstRunPath } from '#core/platform/first-run.js';
import type { Platform } from '#core/platform/platform.js';
import { nodeProblem } from '#core/runtime/node-version.js';
import { largestTables, tablesText, type TableSize } from '#core/runtime/database/server/table-sizes.js';

interface StartFacts {
  platform: Platform;
  /** The location of the database. */
  description: string;
  say: (line: string) => void;
  seconds: number;
  /** How many processes share the port; 1 if not given. */
  processes?: number;
}

/** Prints the summary of a start, with the largest tables. */
export async function announceStart(facts: StartFacts): Promise<void> {
  const { database, clock, log } = facts.platform.services;
  const tables = await largestTables(database, clock.now()).catch((error: unknown) => {
    log.warn({ err: error }, 'reading how large the tables are failed');
    return undefined;
  });
  const warning = await stateFolderWarning(facts.platform.services.deployment.settings.stateDir);
  announce({ ...facts, tables, warning });
}

interface Announcement extends StartFacts {
  /** The largest tables; undefined if the database did not report them. */
  tables: readonly TableSize[] | undefined;
  /** That the state folder cannot be written. */
  warning?: string | undefined;
}

/** For a POSIX shell. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/**
 * Prints the summary of a start: address, products, database, its largest tables, and what each product reports, such
 * as a missing setting.
 */
export function announce({ platform, description, say, seconds, tables, warning, processes = 1 }: Announcement): void {
  const { deployment } = platform.services;
  const { registry } = platform;
  const { settings } = deployment;
  const path = firstRunPath(settings.stateDir);
  say(`svc is ready after ${seconds.toFixed(1)} s.`);
  say(
    `  address    ${platform.address}${deployment.baseUrl === platform.address ? '' : ` (public: ${deployment.baseUrl})`}`,
  );
  say(
    `  products   ${deployment.products.join(', ')} - ${registry.operations.size} operations, see ${deployment.baseUrl}/docs`,
  );
  if (settings.console === 'on') say(`  console    ${deployment.baseUrl}/console`);
  if (processes > 1) say(`  processes  ${processes}, which share the port and the work`);
  say(`  database   ${description}`);
  if (tables) say(`  tables     the largest: ${tablesText(tables)}`);
  for (const plugin of registry.plugins)
    for (const line of plugin.startupNotices?.(platform.services) ?? []) say(`  ${line}`);
  const { firstRun, ownerNotices } = platform;
  for (const line of ownerNotices) say(`  ${line}`);
  if (warning !== undefined) say(`  warning    ${warning}`);
  const node = nodeProblem();
  if (node) say(`  warning    ${node.message} ${node.fix}`);
  // Never the keys themselves: output is collected in logs, which many people can read.
  if (firstRun) {
    say(`  keys       the first account is open; its keys are in ${path}, show them with: cat ${quoted(path)}`);
    say('Try it:');
    say(`  KEY=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).keys.test.secret' ${quoted(path)})`);
    say(
      `  curl -s ${platform.address}/account/get -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{}'`,
    );
  } else if (existsSync(path)) {
    say(`  keys       ${path}`);
  }
}
