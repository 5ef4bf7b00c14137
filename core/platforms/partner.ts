import type { Instant } from "../shared/time.ts";

// The partner writes briefs. Its texts are untrusted: shown as data, never in our messages.

/** A brief as stored at the partner. */
export interface PartnerBrief {
  id: string;
  /** Untrusted text. */
  status: string;
  url: string | null;
  dueDate: Instant | null;
  /** False for a draft. */
  submitted: boolean;
  /** True if the partner reports the status as final. */
  final: boolean;
}

export interface PartnerDraft {
  /** Our brief id; the partner stores one brief per reference. */
  reference: string;
  partnerWorkspaceId: string;
  title: string;
  body: string;
}

export interface PartnerSubmission {
  reference: string;
  /** Equal for all attempts of one submission. */
  idempotencyKey: string;
  dueDate: Instant;
  recipients: readonly string[];
}

/**
 * Client of the brief tool; `token` is that of one workspace. All calls are repeatable. Throws
 * PartnerFault.
 */
export interface Partner {
  /** Resolves if the partner has the workspace and the token can access it. */
  findWorkspace(token: string, partnerWorkspaceId: string): Promise<void>;
  /** Creates or updates the draft with this reference. */
  saveDraft(token: string, draft: PartnerDraft): Promise<PartnerBrief>;
  submit(token: string, submission: PartnerSubmission): Promise<PartnerBrief>;
  /** Undefined if the partner has no such brief. */
  readBrief(token: string, reference: string): Promise<PartnerBrief | undefined>;
}

export type PartnerFaultKind =
  /** Unreachable, timed out, or temporarily unavailable. */
  | "unavailable"
  /** Response outside the protocol. */
  | "unexpected"
  /** Token rejected, or no access to the workspace. */
  | "not_connected"
  | "recipients_missing"
  | "recipients_invalid"
  | "content_too_long"
  | "rejected"
  | "already_submitted";

/** Failure of a partner call; contains no text of the partner. */
export class PartnerFault extends Error {
  override name = "PartnerFault";
  readonly kind: PartnerFaultKind;
  /** Retry hint of the partner. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: PartnerFaultKind,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}
