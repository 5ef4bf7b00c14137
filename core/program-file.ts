/** Whether this process runs from source, under a loader of TypeScript. */
export const FROM_SOURCE = import.meta.url.endsWith(".ts");

/** The address of a program that runs in a process or thread of its own, such as `db/engine/quick-check`: compiled if this process is. */
export function programFile(path: string): URL {
  return new URL(import.meta.resolve(FROM_SOURCE ? `#root/${path}.ts` : `#root/dist/${path}.js`));
}
