import { deepStrictEqual } from "node:assert";
import { endpoints } from "../../tools/index.ts";

const parameters = (path: string) => path.split(":").length;
const routes = endpoints
  .toSorted((a, b) => parameters(a.path) - parameters(b.path))
  .map((endpoint) => ({ endpoint, pattern: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, "[^/]+")}$`) }));

/**
 * Fails when a successful response differs from the declared output: another type or an extra
 * field.
 */
export function expectDeclared(
  method: string,
  path: string,
  { status, body }: { status: number; body: unknown },
): void {
  if (status >= 300 || typeof body !== "object" || body === null) return;
  const { pathname } = new URL(path, "http://localhost");
  const found = routes.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(pathname));
  if (!found) return;
  const { output, job } = found.endpoint;
  const declared = status === 202 && job ? job.queued : output;
  deepStrictEqual(declared.parse(body), body);
}
