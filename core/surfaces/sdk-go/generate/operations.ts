import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { componentName, isSchema, propertiesOf } from '#core/kernel/schema/schema.js';
import { errorTextsOf, listFieldOf, paragraphsOf, treeOf, type Node } from '../../sdk/generate/operation.js';
import { componentNameOn } from '../../component-names.js';
import { goName } from '../../names.js';
import { block, comment, documented, quoted } from './text.js';
import type { TypeWriter } from './types.js';

/** They receive the types of all operations. */
interface Writers {
  readonly input: TypeWriter;
  readonly reply: TypeWriter;
}

/** What a client needs to know about an operation. */
interface Method {
  readonly operation: Operation;
  readonly input: string;
  readonly result: string;
  /** The field of the result with a list's items, and their type; undefined if the operation is not a list. */
  readonly list: { readonly field: string; readonly item: string } | undefined;
  readonly errors: readonly string[];
}

const envelopeField = documented(
  comment(['Envelope has the facts of the call, and the result as it was received.']),
  'Envelope Envelope `json:"-"`',
);

/** Declares the result of an operation. An output with its own name is embedded. */
function declareResult({ name, output }: Operation, { reply }: Writers): string {
  const result = `${goName(name)}Result`;
  if ('envelope' in propertiesOf(output)) throw new Error(`In Go, a result cannot have a field envelope: ${name}.`);
  const paragraphs = [`${result} is the result of ${name}.`];
  if (componentName(output) === undefined)
    return reply.declare(result, output, { paragraphs, members: [envelopeField] });
  const own = reply.declare(result, output);
  return reply.declare(result, { type: 'object', properties: {} }, { paragraphs, members: [own, envelopeField] });
}

/** The name of an operation's input. */
export const goInputName = ({ name, input }: Operation): string =>
  goName(componentNameOn('input', input) ?? `${goName(name)}Input`);

function methodOf(operation: Operation, catalogue: Catalogue, writers: Writers): Method {
  const { name, input, output } = operation;
  const prefix = goName(name);
  const inputName = goInputName(operation);
  const field = listFieldOf(operation);
  const items = field === undefined ? undefined : propertiesOf(output)[field]?.['items'];
  const choices = Array.isArray(input['oneOf'])
    ? input['oneOf'].filter(isSchema).flatMap(({ required }) => (Array.isArray(required) ? required.map(String) : []))
    : [];
  const alternatives = choices.length < 2 ? '' : ` Set exactly one of ${choices.map(goName).join(', ')}.`;
  return {
    operation,
    input: writers.input.declare(inputName, input, {
      paragraphs: [`${inputName} is the input of ${name}.${alternatives}`],
    }),
    result: declareResult(operation, writers),
    list:
      field !== undefined && isSchema(items)
        ? { field, item: writers.reply.typeOf(items, `${prefix}Result${goName(field)}Item`) }
        : undefined,
    errors: errorTextsOf(operation, catalogue).map((text) => text.replaceAll('`', '')),
  };
}

const lastOf = (path: string): string => goName(path.slice(path.lastIndexOf('.') + 1));

/** The methods of an operation: the call, and for lists an iterator over all items. */
function methodTexts({ operation, input, result, list, errors }: Method, group: string): string[] {
  const { name } = operation;
  const own = lastOf(name);
  const [summary = '', ...others] = paragraphsOf(operation).map((text) => text.replaceAll('`', ''));
  const parameters = `ctx context.Context, in ${input}, options ...CallOption`;
  const call = documented(
    comment([`${own} calls ${name}. ${summary}`, ...others, ...(errors.length === 0 ? [] : ['Errors:'])], errors),
    block(
      `func (g ${group}) ${own}(${parameters}) (*${result}, error)`,
      [
        `var out ${result}`,
        block(
          `if err := g.caller.call(ctx, ${quoted(name)}, in, &out, &out.Envelope, options); err != nil`,
          'return nil, err',
        ),
        'return &out, nil',
      ].join('\n'),
    ),
  );
  if (list === undefined) return [call];
  const all = documented(
    comment([
      `${own}All iterates over all items, fetching page after page. The input's Limit is the size of a page. See Iterator.`,
    ]),
    block(
      `func (g ${group}) ${own}All(${parameters}) *Iterator[${list.item}]`,
      block(
        `return newIterator(func(before *string) ([]${list.item}, *string, error)`,
        [
          block('if before != nil', 'in.Before = before'),
          `page, err := g.${own}(ctx, in, options...)`,
          block('if err != nil', 'return nil, nil, err'),
          `return page.${goName(list.field)}, page.NextBefore, nil`,
        ].join('\n'),
      ).concat(')'),
    ),
  );
  return [call, all];
}

/** The declarations of a group and of everything in it. */
function groupTexts(
  path: string,
  { children }: Node<Method>,
  groups: ReadonlyMap<string, string>,
): { readonly texts: readonly string[]; readonly paths: readonly string[] } {
  const group = `${goName(path)}Group`;
  const methods: string[] = [];
  const members = ['caller *caller'];
  const inner: { texts: readonly string[]; paths: readonly string[] }[] = [];
  for (const [part, node] of children) {
    const own = `${path}.${part}`;
    if (node.operation) methods.push(...methodTexts(node.operation, group));
    if (node.children.size === 0) continue;
    if (node.operation) throw new Error(`In Go, ${own} cannot be both an operation and a group.`);
    members.push(documented(comment([groups.get(own) ?? '']), `${goName(part)} ${goName(own)}Group`));
    inner.push(groupTexts(own, node, groups));
  }
  const doc = comment([`${group} has the operations ${path}.*: ${groups.get(path) ?? ''}`.replace(/: $/, '.')]);
  return {
    texts: [
      documented(doc, block(`type ${group} struct`, members.join('\n\n'))),
      ...methods,
      ...inner.flatMap(({ texts }) => texts),
    ],
    paths: [path, ...inner.flatMap(({ paths }) => paths)],
  };
}

/** The client with its methods, without the head of a file. */
export function clientText(operations: readonly Operation[], catalogue: Catalogue, writers: Writers): string {
  const methods = operations.map((each) => methodOf(each, catalogue, writers));
  const groups = new Map([...catalogue.products, ...catalogue.groups]);
  const products = [...treeOf(methods).children];
  const parts = products.map(([name, node]) => groupTexts(name, node, groups));
  const fields = products.map(([name]) =>
    documented(comment([groups.get(name) ?? '']), `${goName(name)} ${goName(name)}Group`),
  );
  const paths = parts.flatMap((part) => part.paths);
  return [
    documented(
      comment([
        'Client calls a server. Each operation is a method named like the operation: email.message.get is client.Email.Message.Get. New makes a client. Goroutines may share it.',
      ]),
      block('type Client struct', [...fields, 'caller *caller'].join('\n\n')),
    ),
    block(
      'func newClient(c *caller) *Client',
      [
        'client := &Client{caller: c}',
        ...paths.map((path) => `client.${path.split('.').map(goName).join('.')}.caller = c`),
        'return client',
      ].join('\n'),
    ),
    ...parts.flatMap(({ texts }) => texts),
  ].join('\n\n');
}
