import { isNativeRedirect } from "../../../auth/oauth/redirects.ts";

/** A client chooses its name, so the name is shortened and sanitised. */
export interface ClientDescription {
  clientName: string;
  /** Host of the redirect URI, or its private-use scheme. */
  redirectTo: string;
  isOnThisDevice: boolean;
  /** True if the name comes from a document on the client's host. */
  verified: boolean;
  host: string | null;
}

export function describeClient(
  clientName: string | undefined,
  clientId: string,
  redirectUri: string,
): ClientDescription {
  const redirect = new URL(redirectUri);
  const verified = clientId.startsWith("https://");
  return {
    clientName: cleanName(clientName) || "An assistant",
    redirectTo:
      redirect.protocol === "https:" || redirect.protocol === "http:" ? redirect.host : `${redirect.protocol}//`,
    isOnThisDevice: isNativeRedirect(redirect),
    verified,
    host: verified ? new URL(clientId).host : null,
  };
}

/** Removes line breaks and characters that hide or reorder text. */
function cleanName(name: string | undefined): string {
  const visible = (name ?? "").replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
  return visible.replaceAll(/\s+/g, " ").trim().slice(0, 80);
}
