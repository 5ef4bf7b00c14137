import { instantOf, type Instant } from "../shared/time.ts";

// Platforms are where brands advertise and publish. What they say is text from outside: shown as data, never part of a
// message of ours.

export const PLATFORMS = ["advertising", "social_video"] as const;
export type PlatformKind = (typeof PLATFORMS)[number];

/** `expired` waits for a person to connect again, `disabled` was switched off by one. */
export const CONNECTION_STATUSES = ["active", "expired", "disabled"] as const;
export const PLATFORM_ACCOUNT_STATUSES = ["active", "inactive"] as const;

export const CONNECTION_PROBLEMS = ["refused", "interrupted", "not_renewable", "unavailable", "unexpected"] as const;
export type ConnectionProblem = (typeof CONNECTION_PROBLEMS)[number];

/** What is wrong with a connection and what to do about it, for people. */
export const PROBLEM_REMEDIES: Readonly<Record<ConnectionProblem, string>> = {
  refused: "The platform no longer accepts this connection. Connect again.",
  interrupted: "A token renewal was interrupted and its response was lost. Connect again.",
  not_renewable: "The platform's permission has expired and cannot be renewed. Connect again.",
  unavailable: "The platform cannot be reached right now. The service retries automatically.",
  unexpected:
    "The platform's response is not valid. The service retries automatically; its platform settings may be wrong.",
};

/** What a platform gave for a person's permission. */
export interface PlatformTokens {
  accessToken: string;
  /** Null if the permission cannot be renewed. */
  refreshToken: string | null;
  /** Null if the platform does not say. */
  expiresAt: Instant | null;
  scopes: string[];
}

/** An account that the permission reaches, as the platform calls it. */
export interface FoundAccount {
  id: string;
  name: string;
}

/** What makes an answer of the platform ours: kept while a person is there. */
export interface ConsentProof {
  state: string;
  /** PKCE (RFC 7636). */
  verifier: string;
}

/** One platform, by OAuth 2.0. Every call but `startConsent` throws PlatformFault. */
export interface Platform {
  name: string;
  /** Longer than any one call takes. */
  patienceMs: number;
  /** Where the person gives permission, and what must come back. */
  startConsent(redirectUri: string): Promise<{ address: string; proof: ConsentProof }>;
  /** Tokens for the code in the address at which the person came back. */
  redeem(cameBackTo: URL, proof: ConsentProof, now: Instant): Promise<PlatformTokens>;
  refresh(tokens: Pick<PlatformTokens, "refreshToken" | "scopes">, now: Instant): Promise<PlatformTokens>;
  /** Ends the permission at the platform; false if the platform offers no way to. */
  revoke(tokens: Pick<PlatformTokens, "accessToken" | "refreshToken">): Promise<boolean>;
  listAccounts(accessToken: string): Promise<FoundAccount[]>;
}

export type Platforms = ReadonlyMap<PlatformKind, Platform>;

export type PlatformFaultKind =
  /** The person said no. */
  | "denied"
  /** The token or code is accepted no more. */
  | "refused"
  /** Not reached, not in time, or it says that it cannot serve now. */
  | "unavailable"
  /** Anything else: an answer that is not understood, or a client that the platform does not know. */
  | "unexpected";

/** Why a platform did not do what was asked. Holds no text of the platform's and no token. */
export class PlatformFault extends Error {
  override name = "PlatformFault";
  readonly kind: PlatformFaultKind;

  constructor(kind: PlatformFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** How tokens are written before they are sealed. */
export function tokensText({
  accessToken,
  refreshToken,
}: Pick<PlatformTokens, "accessToken" | "refreshToken">): string {
  return JSON.stringify([accessToken, refreshToken]);
}

export function readTokensText(text: string): Pick<PlatformTokens, "accessToken" | "refreshToken"> {
  // Only what tokensText wrote was sealed, and what opens was not altered.
  const [accessToken, refreshToken] = JSON.parse(text) as [string, string | null];
  return { accessToken, refreshToken };
}

const MARGIN_MS = 5 * 60_000;
const SHORTEST_MS = 1000;

/** When tokens are to be renewed: five minutes before their end, or a third of their life where that is less. */
export function refreshTime({ refreshToken, expiresAt }: PlatformTokens, now: Instant): Instant | null {
  if (expiresAt === null) return null;
  if (refreshToken === null) return expiresAt;
  const [start, end] = [Date.parse(now), Date.parse(expiresAt)];
  const due = end - Math.min(MARGIN_MS, (end - start) / 3);
  // A platform whose tokens have no life at all is not asked without a pause.
  return instantOf(Math.max(due, start + SHORTEST_MS));
}
