import { parseArgs } from 'node:util';
import { domainKeyCommands } from '#plugins/email/ports.js';
import { runScript, whatItNeeds, type Command } from './run-command.js';

const usage = `Lists the DKIM keys of the sending domains that are in use:

  npm run domain-keys -- list [example.com]

Creates new DKIM keys for a sending domain. Mail is signed with them once their records are published:

  npm run domain-keys -- rotate example.com

${whatItNeeds}`;

function wanted(): Command | undefined {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [name, domain, ...others] = positionals;
  if (others.length > 0) return undefined;
  const isRotation = name === 'rotate' && domain !== undefined;
  if (!isRotation && name !== 'list') return undefined;
  return ({ deployment, transaction }) => {
    if (!deployment.products.includes('email'))
      throw new Error('Sending domains are not enabled: add email to SVC_PRODUCTS.');
    return transaction('npm run domain-keys', async ({ use }) => {
      const commands = use(domainKeyCommands);
      if (isRotation) return commands.rotate(domain);
      const keys = await commands.list(domain);
      return keys.length > 0 ? keys.join('\n') : 'There are no sending domains yet: email.domain.add adds one.';
    });
  };
}

await runScript(usage, wanted);
