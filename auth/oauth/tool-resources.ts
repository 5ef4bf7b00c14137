/** An address of the tool server, which is the audience of tokens (RFC 8707). */
export interface ToolResource {
  url: string;
  /** For clients that can sign in only while they connect. */
  alwaysRequiresSignIn: boolean;
  /** Limits the grants of this address to one workspace; null without a limit. */
  workspaceId: string | null;
}

const WORKSPACE_PATTERN = /^\/w\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

/** Undefined for other addresses. Whether the workspace exists is for the consent page to check. */
export function findToolResource(mcpUrl: string, url: string): ToolResource | undefined {
  const base = mcpUrl.replace(/\/$/, "");
  if (url === mcpUrl || url === base) return { url: mcpUrl, alwaysRequiresSignIn: false, workspaceId: null };
  if (!url.startsWith(base)) return undefined;
  const path = url.slice(base.length);
  const [, workspaceId = null] = WORKSPACE_PATTERN.exec(path) ?? [];
  return path === "/connect" || workspaceId !== null ? { url, alwaysRequiresSignIn: true, workspaceId } : undefined;
}

/** The address that a client requests as `resource` (RFC 8707), in any spelling that clients use. */
export function findRequestedResource(mcpUrl: string, indicator: string): ToolResource | undefined {
  return findToolResource(mcpUrl, canonicaliseResource(indicator) ?? "");
}

/** Normalises scheme, host, port, trailing slash and query (`?toolsets=`), which clients write differently. */
function canonicaliseResource(indicator: string): string | undefined {
  if (!URL.canParse(indicator)) return undefined;
  const { origin, pathname, hash, username, password } = new URL(indicator);
  return hash || username || password ? undefined : `${origin}${pathname}`.replace(/(?<!\/)\/+$/, "");
}

/** Workspaces that the requested addresses are limited to. */
export function listWorkspaceLimits(mcpUrl: string, resources: unknown): string[] {
  const found = [resources].flat().map((url) => findRequestedResource(mcpUrl, String(url))?.workspaceId ?? null);
  return found.filter((id) => id !== null);
}
