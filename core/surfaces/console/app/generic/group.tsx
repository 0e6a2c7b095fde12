import type { ConsoleOperation } from '../../shared.js';
import { formAddress, makersOf } from '../../kit/address.js';
import { List } from '../../kit/list.js';
import { Button, Head } from '../../kit/page.js';
import { catalogue, refusalFor } from '../../kit/state.js';
import { actionTitle, groupOf, groupTitle, productOf } from '../../kit/words.js';

/** The list of a group, with the actions that start something new: those that need no id of an existing thing. */
export function GroupScreen({ list }: { list: ConsoleOperation }) {
  const [product, group] = [productOf(list), groupOf(list)];
  const actions = makersOf(product, group);
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
            refused={refusalFor(operation)}
          >
            {actionTitle(operation)}
          </Button>
        ))}
      />
      <List operation={list} live={'before' in list.input} />
    </>
  );
}
