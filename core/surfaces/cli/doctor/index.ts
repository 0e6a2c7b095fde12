import type { CliCatalogue } from '../command-catalogue.js';
import { painter } from '../terminal/colours.js';
import { connectionOf } from '../session/connection.js';
import { exit } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { sanitize } from '../terminal/sanitize.js';
import { withProgress } from '../terminal/progress.js';
import { nodeProblem } from '#core/runtime/node-version.js';
import { ownVersion } from '../../version.js';
import { checkName } from './dns.js';
import { ok, problem, warning, type Finding } from './finding.js';
import { checkKeys, checkServer } from './remote.js';
import { thisMachine } from './this-machine.js';

/**
 * Runs every check that is possible from this machine and prints the findings. The exit code is 1 when there is a
 * problem.
 */
export async function doctor(options: OwnOptions, catalogue: CliCatalogue): Promise<void> {
  const connection = await connectionOf(options);
  const stage = { name: '' };
  const findings = await withProgress(
    () => `Checking ${stage.name}`,
    async () => {
      stage.name = 'the server';
      const server = await checkServer(connection, catalogue);
      const isReachable = server[0]?.status === 'ok';
      stage.name = 'the keys';
      const key = isReachable ? await checkKeys(connection) : [];
      stage.name = 'this machine';
      return [
        versions(),
        ...server,
        ...key,
        await checkName(connection.baseUrl),
        ...(await thisMachine(connection.baseUrl)),
      ];
    },
  );
  // JSON only with --json: people pipe this output to somebody who helps them.
  process.stdout.write(
    options.json === true ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(format).join(''),
  );
  if (findings.some(({ status }) => status === 'problem')) process.exitCode = exit.failure;
}

function versions(): Finding {
  const message = `svc ${ownVersion()} on Node ${process.versions.node}, ${process.platform}`;
  const found = nodeProblem();
  if (!found) return ok('versions', message);
  return (found.isTooOld ? problem : warning)('versions', `${message}. ${found.message}`, found.fix);
}

function format({ check, status, message, fix }: Finding): string {
  const { green, red, yellow, dim } = painter(process.stdout);
  const mark = {
    ok: green('ok     '),
    warning: yellow('warning'),
    problem: red('problem'),
    skipped: dim('-      '),
  }[status];
  return `${mark}  ${check.padEnd(10)}  ${sanitize(message)}\n${fix === undefined ? '' : `${' '.repeat(21)}${red(`fix: ${sanitize(fix)}`)}\n`}`;
}
