import { COLLECTION_METHODS, type CollectionMethod, type Source } from "../sources/sources.ts";

export interface CollectedPart {
  source: Source;
  method: CollectionMethod;
}

export function isSimulated({ method }: { method: CollectionMethod }): boolean {
  return method === "simulated";
}

/** Simulated answers count only without others; of several methods the first in `order` counts. */
export function selectCountedParts<Part extends CollectedPart>(
  parts: readonly Part[],
  order: readonly CollectionMethod[],
): Part[] {
  const real = parts.filter((part) => !isSimulated(part));
  return selectOneMethod(real.length > 0 ? real : parts, order);
}

/** Selects the first method in `order`, else the one with the most parts. */
export function selectOneMethod<Part extends CollectedPart>(
  parts: readonly Part[],
  order: readonly CollectionMethod[],
  sizeOf: (part: Part) => number = () => 1,
): Part[] {
  const sizes = new Map<Source, Map<CollectionMethod, number>>();
  for (const part of parts) {
    const own = sizes.get(part.source) ?? new Map<CollectionMethod, number>();
    sizes.set(part.source, own.set(part.method, (own.get(part.method) ?? 0) + sizeOf(part)));
  }
  const taken = new Map([...sizes].map(([source, own]) => [source, choosePreferredMethod(own, order)]));
  return parts.filter(({ source, method }) => taken.get(source) === method);
}

function choosePreferredMethod(sizes: ReadonlyMap<CollectionMethod, number>, order: readonly CollectionMethod[]) {
  const sizeAt = (method: CollectionMethod) => sizes.get(method) ?? 0;
  const had = COLLECTION_METHODS.filter((method) => sizes.has(method));
  const some = had.filter((method) => sizeAt(method) > 0);
  const among = some.length > 0 ? some : had;
  return order.find((method) => among.includes(method)) ?? among.toSorted((a, b) => sizeAt(b) - sizeAt(a))[0];
}

export function hasSeveralMethods(parts: readonly CollectedPart[]): boolean {
  const methods = new Map<Source, CollectionMethod>();
  return parts.some(({ source, method }) => {
    const known = methods.get(source) ?? method;
    methods.set(source, known);
    return known !== method;
  });
}
