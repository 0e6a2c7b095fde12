import {
  addressOf,
  Button,
  Empty,
  Head,
  List,
  operationNamed,
  refusalFor,
  rowsAt,
  Status,
  textAt,
  valueAt,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { automationTexts } from './texts.js';

/** The automations, each with its readiness problems. */
export default function Automations(_: ScreenProps) {
  const operation = operationNamed('email.automation.list');
  if (!operation) return null;
  const add = (
    <Button
      kind="main"
      icon="plus"
      href={addressOf(['email', 'automation', 'new'])}
      refused={refusalFor('email.automation.create')}
    >
      Create automation
    </Button>
  );
  return (
    <>
      <Head title="Automations" sub={automationTexts.sub} actions={add} />
      <List
        operation={operation}
        columns={[
          { title: 'Name', field: 'name' },
          { title: 'Status', field: 'status' },
          { title: 'Starts with', field: 'triggerEvent', show: (row) => <code>{textAt(row, 'triggerEvent')}</code> },
          { title: 'Steps', field: 'steps', number: true, show: (row) => rowsAt(row, 'steps').length },
          {
            title: 'Ready',
            field: 'readiness.ok',
            show: (row) =>
              valueAt(row, 'readiness.ok') === true ? (
                <Status status="ready" />
              ) : (
                <span class="st bad">{textAt(rowsAt(row, 'readiness.problems')[0], 'message')}</span>
              ),
          },
          { title: 'Changed', field: 'updatedAt' },
        ]}
        hrefOf={(row) => addressOf(['email', 'automation', textAt(row, 'id')])}
        empty={
          <Empty title="No automations yet." action={add}>
            {automationTexts.empty}
          </Empty>
        }
      />
    </>
  );
}
