import type { ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { inGroup } from '../kit/address.js';
import { useAttempt } from '../kit/attempt.js';
import { Empty, Loading } from '../kit/page.js';
import { loadPart } from '../kit/reach.js';
import { Refusal } from '../kit/refusal.js';
import type { Screen, ScreenProps } from '../kit/screen.js';
import { operationNamed } from '../kit/state.js';
import { GroupScreen } from './generic/group.js';
import { OperationScreen } from './generic/operation.js';
import { ProductScreen } from './generic/product.js';
import { ThingScreen } from './generic/thing.js';
import { screensOf, shownProducts } from './navigation.js';

/** The screen of an address: a product's own if it has one, else the one that the registry gives. */
export function CurrentScreen({ path }: { path: readonly string[] }) {
  const boundary: readonly unknown[] = useErrorBoundary();
  const [broken] = boundary;
  if (broken !== undefined) return <Refusal error={broken} again={() => location.reload()} />;
  return <ScreenAt path={path} />;
}

function ScreenAt({ path }: { path: readonly string[] }) {
  const [product = '', group = '', id] = path;
  if (product === 'do') {
    const operation = operationNamed(group);
    return operation ? <OperationScreen operation={operation} /> : <NothingHere />;
  }
  const own = ownScreen(product, path.slice(1));
  if (own) return <Loaded screen={own.screen} params={own.params} />;
  if (!shownProducts().some(({ name }) => name === product)) return <NothingHere />;
  if (group === '') return <ProductScreen product={product} />;
  const [list, get] = [inGroup(product, group, 'list'), inGroup(product, group, 'get')];
  if (id !== undefined) return get ? <ThingScreen key={id} get={get} id={id} /> : <NothingHere />;
  if (list) return <GroupScreen list={list} />;
  return get ? <ThingScreen get={get} /> : <NothingHere />;
}

const NothingHere = () => (
  <Empty title="There is no such screen.">
    Its product may be disabled on this server, or the link may be incomplete.
  </Empty>
);

/** The product's screen whose path fits, with the values of its `:` parts. */
function ownScreen(
  product: string,
  path: readonly string[],
): { screen: Screen; params: Record<string, string> } | undefined {
  for (const screen of screensOf(product)) {
    const parts = screen.path.split('/');
    const fits = parts.length === path.length && parts.every((part, at) => part.startsWith(':') || part === path[at]);
    if (fits)
      return {
        screen,
        params: Object.fromEntries(
          parts.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), path[at] ?? '']] : [])),
        ),
      };
  }
  return undefined;
}

const loaded = new Map<Screen, ComponentType<ScreenProps>>();

function Loaded({ screen, params }: { screen: Screen; params: Readonly<Record<string, string>> }) {
  const { error, again } = useAttempt(async () => {
    if (!loaded.has(screen)) loaded.set(screen, (await loadPart(screen.load)).default);
    return true;
  }, [screen]);
  const Known = loaded.get(screen);
  if (error !== undefined) return <Refusal error={error} again={again} />;
  return Known ? <Known params={params} /> : <Loading />;
}
