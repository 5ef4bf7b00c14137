import { isOnThisDevice } from "../../../../auth/oauth/client-registration.ts";

/** What a person is shown of a client. Its name is its own choice, so it is cut and cleaned before it is shown. */
export interface ShownClient {
  clientName: string;
  /** Where its answers go: a host, or the scheme of a private one. */
  redirectTo: string;
  onThisDevice: boolean;
  /** True where the name comes from a document that the client's own host publishes. */
  verified: boolean;
  /** The host of that document. */
  host: string | null;
}

export function shownClient(clientName: string | undefined, clientId: string, redirectUri: string): ShownClient {
  const redirect = new URL(redirectUri);
  const verified = clientId.startsWith("https://");
  return {
    clientName: cleanName(clientName) || "An assistant",
    redirectTo:
      redirect.protocol === "https:" || redirect.protocol === "http:" ? redirect.host : `${redirect.protocol}//`,
    onThisDevice: isOnThisDevice(redirect),
    verified,
    host: verified ? new URL(clientId).host : null,
  };
}

/** One short line without the characters that hide or reorder text. */
function cleanName(name: string | undefined): string {
  const visible = (name ?? "").replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
  return visible.replaceAll(/\s+/g, " ").trim().slice(0, 80);
}
