/** A step on a tag; tags are numbered over the whole tree, null is the first level. */
export type Step =
  | { kind: "add"; parent: number | null }
  | { kind: "move"; tag: number; parent: number | null | undefined; position: number | undefined }
  | { kind: "delete"; tag: number };

interface Node {
  id: string;
  name: string;
  children: Node[];
}

/** Two levels of tags as plain lists, the reference for the service. */
export class TagLists {
  readonly #root: Node = { id: "", name: "", children: [] };
  #made = 0;

  isEmpty(): boolean {
    return this.#root.children.length === 0;
  }

  /**
   * The id of a tag, empty for the first level; an index beyond the last starts again at the first.
   */
  idAt(index: number | null): string {
    return this.#at(index).id;
  }

  nextName(): string {
    return `${this.#made}`;
  }

  names(): [string, string[]][] {
    return this.#root.children.map(({ name, children }) => [name, children.map((child) => child.name)]);
  }

  topIds(): string[] {
    return this.#root.children.map(({ id }) => id);
  }

  /** Does the step where it is allowed; the status that the service must answer. */
  apply(step: Step, newId: string): number {
    if (step.kind === "add") return this.#add(this.#at(step.parent), newId);
    const node = this.#at(step.tag);
    const from = this.#parentOf(node);
    if (step.kind === "delete") {
      from.children.splice(from.children.indexOf(node), 1);
      return 200;
    }
    const to = step.parent === undefined ? from : this.#at(step.parent);
    const named = step.parent !== undefined && to !== this.#root;
    if (named && (!this.#root.children.includes(to) || to === node || node.children.length > 0)) return 409;
    if (to === from && step.position === undefined) return 200;
    from.children.splice(from.children.indexOf(node), 1);
    to.children.splice(step.position ?? to.children.length, 0, node);
    return 200;
  }

  #add(parent: Node, id: string): number {
    if (parent !== this.#root && !this.#root.children.includes(parent)) return 409;
    parent.children.push({ id, name: this.nextName(), children: [] });
    this.#made++;
    return 201;
  }

  #at(index: number | null): Node {
    const all = this.#root.children.flatMap((top) => [top, ...top.children]);
    return (index === null ? undefined : all[index % all.length]) ?? this.#root;
  }

  #parentOf(node: Node): Node {
    return [this.#root, ...this.#root.children].find(({ children }) => children.includes(node)) ?? this.#root;
  }
}
