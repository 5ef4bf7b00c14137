/** Round-robin queue over keys; FIFO within a key. */
export class FairQueue<T> {
  /** In service order: a served key is moved to the end. */
  readonly #lanes = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(key: string): number {
    return this.#lanes.get(key)?.length ?? 0;
  }

  add(key: string, item: T): void {
    const lane = this.#lanes.get(key);
    if (lane) lane.push(item);
    else this.#lanes.set(key, [item]);
    this.#size += 1;
  }

  take(): T | undefined {
    for (const [key, lane] of this.#lanes) {
      const item = lane.shift();
      this.#lanes.delete(key);
      if (lane.length > 0) this.#lanes.set(key, lane);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Removes an item. The key keeps its turn as long as it has other items. */
  delete(key: string, item: T): void {
    const lane = this.#lanes.get(key);
    const at = lane?.indexOf(item) ?? -1;
    if (!lane || at < 0) return;
    lane.splice(at, 1);
    if (lane.length === 0) this.#lanes.delete(key);
    this.#size -= 1;
  }
}
