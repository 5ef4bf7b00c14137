import { z } from "zod";
import { reads, type AnyEndpoint } from "../../../../tools/endpoint.ts";

/** What is no task for an assistant at all: signing in, and administering accounts in the console. */
const ELSEWHERE = new Set(["sign-in", "account administration"]);

/**
 * What a person can do with what a tool shows, but no tool can: each write belongs to the tool that shows the nearest
 * thing. An assistant that is asked for it says where the person does it. Gives null for a tool without any.
 */
export function humanSteps(endpoints: readonly AnyEndpoint[], baseUrl: string): (tool: AnyEndpoint) => string | null {
  const shown = endpoints.filter((one) => reads(one) && one.notATool === undefined).map(({ path }) => bare(path));
  const steps = new Map<string | undefined, string[]>();
  for (const one of endpoints) {
    if (reads(one) || one.notATool === undefined || ELSEWHERE.has(one.notATool)) continue;
    const address = nearest(bare(one.path), shown);
    const step = `${one.summary} (${one.method}${rest(one.path, address)}${needed(one)})`;
    steps.set(address, [...(steps.get(address) ?? []), step]);
  }
  return (tool) => {
    const own = reads(tool) ? steps.get(bare(tool.path)) : undefined;
    if (!own) return null;
    const page = tool.page === undefined ? "" : ` in the browser at ${baseUrl}${named(tool.page)} or`;
    return `No tool does these; a person can,${page} over REST at ${named(tool.path)}: ${own.join("; ")}.`;
  };
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
  return fields.length === 0 ? "" : `, with ${fields.map(([key]) => key).join(", ")}`;
}

/** What of a path comes after the address, such as ` /{tag_id}`; nothing for the address itself. */
function rest(path: string, address = ""): string {
  const after = path.split("/").slice(address.split("/").length);
  return after.length === 0 ? "" : ` /${named(after.join("/"))}`;
}
