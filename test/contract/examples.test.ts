import { expect } from 'chai';
import { cutToSchema } from '#core/kernel/schema/validation/cut.js';
import { inputProblem, replyProblem } from '#core/kernel/schema/validation/validate.js';
import { allOperations, plugins } from './support/operations.js';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('The example of every operation', () => {
  for (const { name, input, output, example } of allOperations) {
    it(`${name}: the example is valid input, and an unknown field is refused`, () => {
      expect(inputProblem(input, asJson(example.input))?.message).to.equal(undefined);
      const surplus: unknown = Object.assign({}, asJson(example.input), { surplusField: 1 });
      expect(inputProblem(input, surplus)?.details).to.deep.equal({ field: 'surplusField' });
    });

    it(`${name}: the example’s reply matches the schema, without further fields`, () => {
      const surplus: string[] = [];
      cutToSchema(output, example.output, (path) => surplus.push(path));
      expect(surplus).to.deep.equal([]);
      expect(replyProblem(output, asJson(example.output))).to.equal(undefined);
    });
  }

  for (const plugin of plugins) {
    it(`the schema of every event of ${plugin.name} compiles`, () => {
      // A problem is reported only by a schema that compiled; another one throws.
      for (const { data } of Object.values(plugin.events)) expect(replyProblem(data, null)).to.be.a('string');
    });
  }
});
