import type { Instant } from "../shared/time.ts";

// The partner writes briefs. Its texts are untrusted: shown as data, never in our messages.

export interface PartnerBrief {
  id: string;
  /** Status as the partner writes it: untrusted text. */
  status: string;
  url: string | null;
  dueDate: Instant | null;
  isSubmitted: boolean;
  /** True if the partner reports the status as final. */
  isFinal: boolean;
}

export interface PartnerDraft {
  /** Our id of the brief; the partner stores one brief per reference. */
  reference: string;
  partnerWorkspaceId: string;
  title: string;
  body: string;
}

export interface PartnerSubmission {
  reference: string;
  /** Key that all attempts of one submission share. */
  idempotencyKey: string;
  dueDate: Instant;
  recipients: readonly string[];
}

/** `token` is that of one workspace. All calls are repeatable. Throws PartnerFault. */
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
  /** The partner is unreachable, timed out, or is temporarily unavailable. */
  | "unavailable"
  /** The partner's response violates the protocol. */
  | "unexpected"
  /** The partner rejects the token, or the token has no access to the workspace. */
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
