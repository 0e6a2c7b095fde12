import { acting, catalogue, operationNamed, type ConsoleFields } from '#core/surfaces/console/kit/index.js';

/**
 * The permissions of an operation's input as boxes: those that operations need and that the person has, because nobody
 * can grant what they lack.
 */
export function permissionBoxes(operation: string): ConsoleFields {
  const field = operationNamed(operation)?.input['permissions'];
  if (!field) return {};
  const needed = (catalogue.value?.operations ?? []).flatMap(({ permission }) => permission ?? []);
  const held = acting.value?.permissions ?? new Set<string>();
  const choices = [...new Set([...needed, ...held])].filter((each) => held.has(each) && each !== 'auth:public').sort();
  return { permissions: { ...field, required: true, items: { type: 'text', ...field.items, choices } } };
}
