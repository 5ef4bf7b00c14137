import { z } from "zod";
import { reads, type AnyEndpoint } from "../../../../tools/endpoint.ts";

/** Whoever asks an assistant for these has another door for them: sign-in, and the console's administration. */
const ELSEWHERE = new Set(["sign-in", "account administration"]);

/**
 * What can be done with what a tool shows, but by no tool: each write goes to the tool that shows the nearest thing.
 * An assistant that is asked for it can say where a person does it. Null where there is nothing.
 */
export function peopleNote(tool: AnyEndpoint, endpoints: readonly AnyEndpoint[], baseUrl: string): string | null {
  if (!reads(tool)) return null;
  const shown = endpoints.filter((one) => reads(one) && one.notATool === undefined).map(({ path }) => bare(path));
  const own = bare(tool.path);
  const writes = endpoints.filter((one) => {
    if (reads(one) || one.notATool === undefined || ELSEWHERE.has(one.notATool)) return false;
    return nearest(bare(one.path), shown) === own;
  });
  if (writes.length === 0) return null;
  const each = writes.map((one) => `${one.summary} (${one.method} ${rest(one.path, own)}${needed(one)})`);
  const page = tool.page === undefined ? "" : ` in the browser at ${baseUrl}${named(tool.page)} or`;
  return `No tool does these. A person does,${page} over REST below ${named(tool.path)}: ${each.join("; ")}.`;
}

const bare = (path: string) => path.replaceAll(/:\w+/g, ":");
const named = (path: string) => path.replaceAll(/:(\w+)/g, "{$1}");

/** The longest of the addresses that a path is at or below. */
function nearest(path: string, addresses: readonly string[]): string | undefined {
  const above = addresses.filter((one) => path === one || path.startsWith(`${one}/`));
  return above.toSorted((a, b) => b.length - a.length)[0];
}

/** The fields that a body must have. */
function needed({ input, path }: AnyEndpoint): string {
  const fields = Object.entries((input as z.ZodObject).shape).filter(
    ([key, field]) => !path.includes(`:${key}`) && !z.safeParse(field, undefined).success,
  );
  return fields.length === 0 ? "" : ` with ${fields.map(([key]) => key).join(", ")}`;
}

/** What of a path comes after the address; `.` for the address itself. */
function rest(path: string, address: string): string {
  const after = path.split("/").slice(address.split("/").length);
  return after.length === 0 ? "." : named(after.join("/"));
}
