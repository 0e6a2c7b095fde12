/** Whether a filter matches an event type. Names match exactly, `product.*` matches all events of a product, an empty filter matches all. */
export function matchesFilter(eventTypes: readonly string[], type: string): boolean {
  if (eventTypes.length === 0) return true;
  return eventTypes.some((each) => each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))));
}
