#!/usr/bin/env node
import { main } from '#core/surfaces/cli/main.js';

/** The command `svc`. It ends once everything is written, even if a resolver or a connection is still waiting. */
const code = await main(process.argv.slice(2));
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
