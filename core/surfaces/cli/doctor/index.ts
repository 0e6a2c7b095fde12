import type { CliCatalogue } from '../catalogue.js';
import { painter } from '../colours.js';
import { connectionOf } from '../connection.js';
import { exit } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { plain } from '../plain.js';
import { withProgress } from '../progress.js';
import { ownVersion } from '../version.js';
import { checkName } from './dns.js';
import { ok, problem, type Finding } from './finding.js';
import { checkKeys, checkServer } from './remote.js';

const oldestNode = [20, 19] as const;

/** Looks at everything that can be seen from here, and says what is wrong with the mend. The exit code is 1 when anything is. */
export async function doctor(options: OwnOptions, catalogue: CliCatalogue): Promise<void> {
  const connection = await connectionOf(options);
  const stage = { words: '' };
  const findings = await withProgress(
    () => `Looking at ${stage.words}`,
    async () => {
      stage.words = 'the server';
      const server = await checkServer(connection, catalogue);
      const isThere = server[0]?.verdict === 'ok';
      stage.words = 'the key';
      const key = isThere ? await checkKeys(connection) : [];
      stage.words = 'this machine';
      return [
        versions(),
        ...server,
        ...key,
        await checkName(connection.baseUrl),
        ...(await thisMachine(connection.baseUrl)),
      ];
    },
  );
  // JSON only where it is asked for: people pipe this to whoever helps them.
  process.stdout.write(options.json === true ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(shown).join(''));
  if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = exit.trouble;
}

function versions(): Finding {
  const words = `svc ${ownVersion()} on Node ${process.versions.node}, ${process.platform}`;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  return isOld ? problem('versions', words, `svc needs Node ${oldestNode.join('.')} or newer.`) : ok('versions', words);
}

/** Settings, database and mail server, where this is the server's machine; what they need is loaded for it alone. */
async function thisMachine(called: string): Promise<Finding[]> {
  const { checkSettings, isServersMachine } = await import('./settings.js');
  if (!(await isServersMachine())) return [];
  const { findings, core } = await checkSettings();
  if (!core) return findings;
  const { checkDatabase } = await import('./database.js');
  const { checkSmtp } = await import('./smtp.js');
  const { baseUrl } = core;
  const name = baseUrl !== undefined && baseUrl !== called ? [await checkName(baseUrl)] : [];
  return [...findings, ...(await checkDatabase(core)), await checkSmtp(process.env['SVC_SMTP_URL']), ...name];
}

function shown({ what, verdict, words, mend }: Finding): string {
  const { green, red, dim } = painter(process.stdout);
  const mark = { ok: green('ok     '), problem: red('problem'), skipped: dim('-      ') }[verdict];
  return `${mark}  ${what.padEnd(10)}  ${plain(words)}\n${mend === undefined ? '' : `${' '.repeat(21)}${red(`fix: ${plain(mend)}`)}\n`}`;
}
