import { toInstant, type Instant } from "../shared/time.ts";

// Platforms are where brands advertise and publish. Their texts are untrusted: shown as data, never
// in our messages.

export const PLATFORM_KINDS = ["advertising", "social_video"] as const;
export type PlatformKind = (typeof PLATFORM_KINDS)[number];

/** `expired` needs a reconnect by a user; `disabled` was switched off by one. */
export const CONNECTION_STATUSES = ["active", "expired", "disabled"] as const;
export const PLATFORM_ACCOUNT_STATUSES = ["active", "inactive"] as const;

export const CONNECTION_PROBLEMS = ["refused", "interrupted", "not_renewable", "unavailable", "unexpected"] as const;
export type ConnectionProblem = (typeof CONNECTION_PROBLEMS)[number];

export const PROBLEM_REMEDIES: Readonly<Record<ConnectionProblem, string>> = {
  refused: "The platform no longer accepts this connection. Connect again.",
  interrupted: "A token renewal was interrupted and its response was lost. Connect again.",
  not_renewable: "The platform's permission has expired and cannot be renewed. Connect again.",
  unavailable: "The platform cannot be reached right now. The service retries automatically.",
  unexpected:
    "The platform's response is not valid. The service retries automatically; its platform settings may be wrong.",
};

export interface PlatformTokens {
  accessToken: string;
  /** Token to renew access; null if the grant is not renewable. */
  refreshToken: string | null;
  /** End of the access token's lifetime; null if unknown. */
  expiresAt: Instant | null;
  scopes: string[];
}

export interface FoundAccount {
  id: string;
  name: string;
}

/** Stored during the consent to verify the callback. */
export interface ConsentProof {
  state: string;
  /** PKCE verifier (RFC 7636). */
  verifier: string;
}

/** OAuth 2.0 client of one platform. All calls except `startConsent` throw PlatformFault. */
export interface Platform {
  name: string;
  maxCallMs: number;
  /** Address of the consent page, and the proof to verify the callback. */
  startConsent(redirectUri: string): Promise<{ consentAddress: string; proof: ConsentProof }>;
  redeem(cameBackTo: URL, proof: ConsentProof, now: Instant): Promise<PlatformTokens>;
  refresh(tokens: Pick<PlatformTokens, "refreshToken" | "scopes">, now: Instant): Promise<PlatformTokens>;
  /** Revokes the grant; false if the platform does not support it. */
  revoke(tokens: Pick<PlatformTokens, "accessToken" | "refreshToken">): Promise<boolean>;
  listAccounts(accessToken: string): Promise<FoundAccount[]>;
}

export type Platforms = ReadonlyMap<PlatformKind, Platform>;

export type PlatformFaultKind =
  /** The user declined the consent. */
  | "denied"
  /** The token or code is no longer valid. */
  | "refused"
  /** The platform is unreachable, timed out, or is temporarily unavailable. */
  | "unavailable"
  /** The response is invalid, or the platform does not know the client. */
  | "unexpected";

/** Failure of a platform call; contains no platform text and no token. */
export class PlatformFault extends Error {
  override name = "PlatformFault";
  readonly kind: PlatformFaultKind;

  constructor(kind: PlatformFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function serialiseTokens({ accessToken, refreshToken }: Pick<PlatformTokens, "accessToken" | "refreshToken">) {
  return JSON.stringify([accessToken, refreshToken]);
}

export function parseStoredTokens(text: string): Pick<PlatformTokens, "accessToken" | "refreshToken"> {
  // Safe: sealed texts come from serialiseTokens and are authenticated.
  const [accessToken, refreshToken] = JSON.parse(text) as [string, string | null];
  return { accessToken, refreshToken };
}

const REFRESH_MARGIN_MS = 5 * 60_000;
const MIN_REFRESH_DELAY_MS = 1000;

/** Renewal time: 5 minutes before expiry, or a third of the lifetime if shorter. */
export function computeRefreshTime({ refreshToken, expiresAt }: PlatformTokens, now: Instant): Instant | null {
  if (expiresAt === null) return null;
  if (refreshToken === null) return expiresAt;
  const [start, end] = [Date.parse(now), Date.parse(expiresAt)];
  const due = end - Math.min(REFRESH_MARGIN_MS, (end - start) / 3);
  // Waits at least this long, for tokens with a very short lifetime.
  return toInstant(Math.max(due, start + MIN_REFRESH_DELAY_MS));
}
