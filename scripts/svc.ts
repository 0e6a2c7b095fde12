#!/usr/bin/env node
import { main } from '#core/surfaces/cli/main.js';

/** The command `svc`. It ends once everything is written, whatever a resolver or a connection still waits for. */
const code = await main(process.argv.slice(2));
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
