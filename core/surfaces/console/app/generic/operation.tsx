import { useState } from 'preact/hooks';
import type { Envelope } from '../../../sdk/types.js';
import type { ConsoleOperation } from '../../shared.js';
import { formAddress, inGroup, listAddress, thingAddress, idFieldOf, useAddress } from '../../kit/address.js';
import { fromQuery, OperationForm } from '../../kit/form.js';
import { Button, Card, Head, Notice } from '../../kit/page.js';
import { Prose } from '../../kit/prose.js';
import { operationNamed, type Row } from '../../kit/state.js';
import { Facts, textAt } from '../../kit/value.js';
import { actionTitle, groupOf, productOf } from '../../kit/words.js';

/** The form of an operation, and its reply. Every operation of the registry has one. */
export function OperationScreen({ operation }: { operation: ConsoleOperation }) {
  const { query } = useAddress();
  const [done, setDone] = useState<Envelope<Row>>();
  const initial = Object.fromEntries(
    Object.entries(query).flatMap(([name, text]) =>
      name in operation.input ? [[name, fromQuery(text, operation.input[name])]] : [],
    ),
  );
  return (
    <>
      <Head
        title={actionTitle(operation)}
        beside={<span class="tag">{operation.name}</span>}
        sub={<Prose text={[operation.summary, operation.description].filter((text) => text !== undefined).join(' ')} />}
      />
      {done ? <Done operation={operation} envelope={done} /> : null}
      <OperationForm key={operation.name} operation={operation} initial={initial} onDone={setDone} />
    </>
  );
}

function Done({ operation, envelope }: { operation: ConsoleOperation; envelope: Envelope<Row> }) {
  const { result } = envelope;
  return (
    <Card title={operation.read ? 'Reply' : 'Done'}>
      {operation.read ? null : (
        <Notice tone="good" action={<Next operation={operation} result={result} />}>
          <p>
            {envelope.replayed
              ? 'This was done before; the reply is the one of that time.'
              : `${actionTitle(operation)}: done.`}
          </p>
        </Notice>
      )}
      <Facts row={result} product={productOf(operation)} />
    </Card>
  );
}

/** Where to see the outcome: the operation that the registry names, else the thing, else the list. */
function Next({ operation, result }: { operation: ConsoleOperation; result: Row }) {
  const { followUp } = operation;
  const next = followUp && operationNamed(followUp.operation);
  const [product, group] = [productOf(operation), groupOf(operation)];
  if (next) {
    const input = Object.fromEntries(
      Object.entries(followUp.input).map(([field, path]) => [field, textAt(result, path)]),
    );
    const id = idFieldOf(next);
    const isThing = next.name.endsWith('.get') && id !== undefined && input[id] !== undefined;
    return (
      <Button kind="small" href={isThing ? thingAddress(next, input[id] ?? '') : formAddress(next.name, input)}>
        {actionTitle(next).replace(/^Get /, 'Show ')}
      </Button>
    );
  }
  const list = inGroup(product, group, 'list');
  return list ? (
    <Button kind="small" href={listAddress(list)}>
      Back to the list
    </Button>
  ) : null;
}
