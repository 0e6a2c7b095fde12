import {
  addressOf,
  Button,
  Empty,
  Head,
  List,
  operationNamed,
  refusalFor,
  textAt,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { described } from './described.js';
import { segmentTexts } from './texts.js';

const newOne = () => (
  <Button
    kind="main"
    icon="plus"
    href={addressOf(['audience', 'segment', 'new'])}
    refused={refusalFor('audience.segment.create')}
  >
    Create segment
  </Button>
);

/** The segments, each with its conditions in words. */
export default function Segments(_: ScreenProps) {
  const operation = operationNamed('audience.segment.list');
  if (!operation) return null;
  return (
    <>
      <Head title="Segments" sub={segmentTexts.sub} actions={newOne()} />
      <List
        operation={operation}
        columns={[
          { title: 'Name', field: 'name' },
          { title: 'Contacts that match', field: 'definition', show: (row: Row) => described(row['definition']) },
          { title: 'Changed', field: 'updatedAt' },
        ]}
        hrefOf={(row) => addressOf(['audience', 'segment', textAt(row, 'id')])}
        empty={
          <Empty title="No segments yet." action={newOne()}>
            {segmentTexts.empty}
          </Empty>
        }
      />
    </>
  );
}
