import { z } from "zod";
import { removeInvisible } from "../../../core/shared/fields.ts";
import { PlatformFault, type FoundAccount } from "../../../core/platforms/platforms.ts";
import { decodeJson } from "../decode-json.ts";
import { HttpError, request, type HttpFailure } from "../http.ts";
import type { PlatformSettings } from "./platform-settings.ts";

// Client side of the account list in docs/integrations.md.

const MAX_ACCOUNTS = 1000;
const LIMIT_BYTES = 1024 * 1024;

const AccountsBody = z.object({
  accounts: z.array(
    z.object({
      id: z.string().min(1).max(255),
      name: z
        .string()
        .transform((name) => removeInvisible(name).replaceAll("\n", " ").trim().slice(0, 255))
        .default(""),
    }),
  ),
  next_cursor: z.string().min(1).max(2000).nullish(),
});

/** Throws PartnerFault. */
export async function readAccounts(
  { accounts_endpoint, timeout_seconds }: PlatformSettings,
  accessToken: string,
): Promise<FoundAccount[]> {
  const accounts = new Map<string, FoundAccount>();
  let cursor: string | undefined;
  do {
    const address = new URL(accounts_endpoint);
    if (cursor !== undefined) address.searchParams.set("cursor", cursor);
    const page = AccountsBody.safeParse(await readJson(address, accessToken, timeout_seconds * 1000));
    if (!page.success) throw new PlatformFault("unexpected", "The platform's answer is not a list of accounts.");
    const known = accounts.size;
    for (const { id, name } of page.data.accounts) accounts.set(id, { id, name: name || id });
    if (accounts.size > MAX_ACCOUNTS) {
      throw new PlatformFault("unexpected", `The platform lists more than ${MAX_ACCOUNTS} accounts.`);
    }
    cursor = page.data.next_cursor ?? undefined;
    // A page without new accounts would make an endless list.
    if (cursor !== undefined && accounts.size === known) {
      throw new PlatformFault("unexpected", "The platform's list of accounts has no end.");
    }
  } while (cursor !== undefined);
  return [...accounts.values()];
}

async function readJson(address: URL, accessToken: string, timeoutMs: number): Promise<unknown> {
  const headers = { authorization: `Bearer ${accessToken}` };
  try {
    const { text } = await request(address, { headers, timeoutMs, limitBytes: LIMIT_BYTES });
    return decodeJson(text);
  } catch (error) {
    throw error instanceof HttpError ? toPlatformFault(error.failure) : error;
  }
}

function toPlatformFault(failure: HttpFailure): PlatformFault {
  if (failure.kind === "too_large")
    return new PlatformFault("unexpected", "The platform's answer is larger than 1 MB.");
  if (failure.kind !== "status") {
    return new PlatformFault("unavailable", "The platform could not be reached, or broke off its answer.");
  }
  const { status } = failure;
  if (status === 401) return new PlatformFault("refused", "The platform refused the access token.");
  const isDown = status === 429 || status >= 500;
  return new PlatformFault(isDown ? "unavailable" : "unexpected", `The platform answered HTTP ${status}.`);
}
