import { endpoints } from "../../tools/index.ts";

const asked = endpoints
  .filter(({ recentSignIn }) => recentSignIn !== undefined)
  .map(({ method, path }) => ({ method, path: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`) }));

/** True for an address at which some calls need a sign-in of the last minutes. */
export function needsRecentSignIn(method: string, address: string): boolean {
  const { pathname } = new URL(address, "http://localhost");
  return asked.some((one) => one.method === method && one.path.test(pathname));
}
