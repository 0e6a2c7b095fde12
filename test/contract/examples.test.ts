import { expect } from 'chai';
import { cutToSchema } from '#core/kernel/schema/cut.js';
import { inputProblem, replyProblem } from '#core/kernel/schema/validate.js';
import { allOperations, plugins } from './support/operations.js';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('The example of every operation', () => {
  for (const { name, input, output, example } of allOperations) {
    it(`${name} takes its example, and refuses a field that it does not know`, () => {
      expect(inputProblem(input, asJson(example.input))?.message).to.equal(undefined);
      const surplus: unknown = Object.assign({}, asJson(example.input), { surplusField: 1 });
      expect(inputProblem(input, surplus)?.details).to.deep.equal({ field: 'surplusField' });
    });

    it(`${name} answers what its example says, and no field more`, () => {
      const surplus: string[] = [];
      cutToSchema(output, example.output, (path) => surplus.push(path));
      expect(surplus).to.deep.equal([]);
      expect(replyProblem(output, asJson(example.output))).to.equal(undefined);
    });
  }

  for (const plugin of plugins) {
    it(`the data of every event of ${plugin.name} has a schema that compiles`, () => {
      // The problem says that the schema was compiled and judged; one that does not compile throws.
      for (const { data } of Object.values(plugin.events)) expect(replyProblem(data, null)).to.be.a('string');
    });
  }
});
