import type { ConsoleOperation } from '../../shared.js';
import { formAddress, idFieldOf, inGroup } from '../../kit/address.js';
import { List } from '../../kit/list.js';
import { Button, Head } from '../../kit/page.js';
import { catalogue, refusalOf } from '../../kit/state.js';
import { actionTitle, groupOf, groupTitle, productOf } from '../../kit/words.js';

/** The list of a group, with the actions that start something new: those that need no id of an existing thing. */
export function GroupScreen({ list }: { list: ConsoleOperation }) {
  const [product, group] = [productOf(list), groupOf(list)];
  const actions = (catalogue.value?.operations ?? []).filter(
    (each) =>
      productOf(each) === product &&
      groupOf(each) === group &&
      each.access === 'secret' &&
      each.read !== true &&
      startsNew(each),
  );
  return (
    <>
      <Head
        title={groupTitle(group)}
        beside={<span class="tag">{list.name}</span>}
        sub={catalogue.value?.groups[`${product}.${group}`]}
        actions={actions.slice(0, 3).map((operation, index) => (
          <Button
            kind={index === 0 ? 'main' : undefined}
            href={formAddress(operation.name)}
            refused={refusalOf(operation)}
          >
            {actionTitle(operation)}
          </Button>
        ))}
      />
      <List operation={list} live={'before' in list.input} />
    </>
  );
}

/** Whether an operation makes something, in place of changing a thing whose id it takes. */
function startsNew(operation: ConsoleOperation): boolean {
  const get = inGroup(productOf(operation), groupOf(operation), 'get');
  const id = get && idFieldOf(get);
  const verb = operation.name.split('.').at(-1) ?? '';
  if (['create', 'add', 'upsert', 'invite', 'import'].includes(verb)) return true;
  return (
    !(id !== undefined && id in operation.input) &&
    !Object.keys(operation.input).some((field) => /Id$|^id$/.test(field))
  );
}
