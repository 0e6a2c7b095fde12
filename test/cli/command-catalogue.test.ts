import { expect } from 'chai';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { defineOperation } from '#core/kernel/operation.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import {
  boolean,
  integer,
  list,
  map,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { flagOf, commandPath } from '#core/surfaces/names.js';
import { catalogue } from '#core/surfaces/cli/command-catalogue.gen.js';
import { catalogueOf, catalogueText } from '#core/surfaces/cli/describe.js';
import { buildProgram } from '#core/surfaces/cli/program.js';
import { lab } from '#test/kernel/support/lab.js';

const own = defineOperation({
  name: 'lab.thing.makeMany',
  summary: 'Make many things.',
  access: 'secret',
  impact: { destructive: true },
  input: object({
    thingId: uuid('Which.'),
    kind: optional(nullable(oneOf(['round', 'square'], 'What form.'))),
    labels: optional(map(text(), 'Yours.')),
    notify: optional(boolean('Tell everybody.')),
    profile: optional(text('Collides with a flag of the command line.')),
  }),
  output: object({ things: list(object({ id: uuid(), name: text(), weight: integer() })) }),
  example: {
    input: { thingId: '01890a5d-ac96-774b-bcce-b302099a8057', labels: { colour: 'deep red' }, notify: true },
    output: { things: [] },
  },
  handle: async () => ({ things: [] }),
});

/** The help of a command, as it would be printed. */
function helpOf(known: typeof catalogue, words: readonly string[]): string {
  const { program } = buildProgram(known, words);
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) throw new Error(`There is no command ${words.join(' ')}.`);
    command = next;
  }
  const written: string[] = [];
  command.configureOutput({ writeOut: (piece) => void written.push(piece) }).outputHelp();
  return written.join('');
}

describe('The command line’s catalogue', () => {
  it('has a command for every operation that a plugin registers', async () => {
    const registry = createRegistry([...(await findPlugins()), lab(own)], []);
    expect(catalogueText(registry)).to.contain('"name":"lab.thing.makeMany"');
    const known = catalogueOf(registry);
    expect(helpOf(known, ['lab'])).to.match(/thing +make-many/);
    const help = helpOf(known, ['lab', 'thing', 'make-many']);
    for (const part of [
      'Make many things.',
      'destructive: asks for confirmation',
      '--thing-id <uuid>',
      'one of round, square',
      'null to clear',
      '--labels.<name>=…',
      '--notify [true|false]',
      '--idempotency-key',
      'Other fields: --input.profile=…',
      "svc lab thing make-many --thing-id 01890a5d-ac96-774b-bcce-b302099a8057 --labels.colour='deep red' --notify --yes",
    ])
      expect(help).to.contain(part);
  });

  it('gives every operation of the repository a command whose help has its summary, its flags and an example', () => {
    for (const { name, summary, input } of catalogue.operations) {
      const words = commandPath(name);
      const help = helpOf(catalogue, words);
      expect(help.replace(/\s+/g, ' '), name).to.contain(summary.slice(0, 60));
      expect(help, name).to.contain(`Examples:\n  svc ${words.join(' ')}`);
      for (const field of Object.keys(input))
        expect(help, `${name} ${field}`).to.contain(`--${flagOf(field) ?? `input.${field}`}`);
    }
  });

  it('says in each group’s help what the group is for', () => {
    const help = helpOf(catalogue, ['developers', 'webhook']);
    expect(help).to.contain('Your endpoints that events are sent to.');
    expect(help).to.match(/delivery +One delivery attempt: inspect it, replay it\./);
  });

  it('has no product with the name of a built-in command', () => {
    const names = buildProgram(catalogue, []).program.commands.map((command) => command.name());
    expect(new Set(names).size).to.equal(names.length);
  });
});
