import { z } from "zod";
import { countFinishedCollects } from "../../../db/analyses/collect-progress.ts";
import { getAnalysis } from "../../../tools/analyses/get-analysis.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { admitCall } from "../../call/invoke.ts";
import type { AnalysisIds } from "./features/analysis-page.ts";
import { endpointCaller } from "./features/call-endpoint.ts";
import { toResourceError, invalidParams } from "./features/feature-errors.ts";
import { parseAnalysisUri, isOpenPage } from "./features/resources.ts";
import type { McpContext, Serving } from "./mcp-context.ts";

export interface ResourceSubscription {
  isStillAuthorised: () => Promise<boolean>;
  endSubscription: () => void;
}

/** Notifies `subscriptions/listen` streams when a collect of a subscribed analysis completes. */
export interface SubscriptionRegistry {
  /** Starts polling the analyses in a message. Throws ProtocolError, also for inaccessible ones. */
  startSubscription(message: unknown, serving: Serving): Promise<ResourceSubscription>;
  close(): void;
}

const POLL_MS = 1000;
const MAX_ANALYSES = 20;

interface NamedAnalysis {
  uri: string;
  ids: AnalysisIds;
}

interface WatchedAnalysis extends NamedAnalysis {
  completedRunCount: number;
}

/**
 * Polls once a second while there are streams, because collects complete in another process. One
 * query covers all streams.
 */
export function openSubscriptions(mcp: McpContext): SubscriptionRegistry {
  const { events, deps } = mcp;
  const watched = new Set<WatchedAnalysis>();
  let timer: NodeJS.Timeout | undefined;

  async function pollOnce(): Promise<void> {
    // After a store error, the next poll retries.
    const completedCounts = await countCompletedRuns([...watched].map(({ ids }) => ids)).catch(() => undefined);
    const uris = new Set<string>();
    for (const one of completedCounts ? watched : []) {
      const ended = completedCounts?.get(one.ids.analysis_id) ?? 0;
      if (ended > one.completedRunCount) uris.add(one.uri);
      one.completedRunCount = Math.max(ended, one.completedRunCount);
    }
    for (const uri of uris) events.publish({ kind: "resource_updated", uri });
    timer = watched.size > 0 ? schedule() : undefined;
  }

  function schedule(): NodeJS.Timeout {
    return setTimeout(() => void pollOnce(), POLL_MS).unref();
  }

  function countCompletedRuns(analyses: readonly AnalysisIds[]): Promise<Map<string, number>> {
    const ids = [...new Set(analyses.map(({ analysis_id }) => analysis_id))];
    return deps.store.read((db) => countFinishedCollects(db, ids));
  }

  return {
    async startSubscription(message, serving) {
      const analyses = parseAnalyses(message);
      for (const analysis of analyses) await requireReadable(analysis, mcp, serving);
      const ended =
        analyses.length > 0 ? await countCompletedRuns(analyses.map(({ ids }) => ids)) : new Map<string, number>();
      const own = analyses.map((one) => ({ ...one, completedRunCount: ended.get(one.ids.analysis_id) ?? 0 }));
      for (const subscription of own) watched.add(subscription);
      if (own.length > 0) timer ??= schedule();
      return {
        isStillAuthorised: () => mayRead(own, mcp, serving),
        endSubscription() {
          for (const one of own) watched.delete(one);
        },
      };
    },
    close() {
      clearTimeout(timer);
      watched.clear();
    },
  };
}

/**
 * Subscribed analyses of a message. Documentation pages are accepted, but change only with a
 * release.
 */
function parseAnalyses(message: unknown): NamedAnalysis[] {
  const uris = parseSubscribedUris(message).filter((uri) => !isOpenPage(uri));
  if (uris.length > MAX_ANALYSES) {
    throw invalidParams(`A stream tells of at most ${MAX_ANALYSES} resources. Open another one for the rest.`);
  }
  return uris.map((uri) => {
    const ids = parseAnalysisUri(uri);
    if (!ids)
      throw invalidParams(
        "Analyses alone can be listened to. resources/templates/list says how their addresses are made.",
      );
    return { uri, ids };
  });
}

/** Addresses that a message subscribes to; none for an invalid message, which the SDK rejects. */
function parseSubscribedUris(message: unknown): string[] {
  return [...new Set(ListenMessageSchema.safeParse(message).data?.params.notifications.resourceSubscriptions)];
}

const ListenMessageSchema = z.object({
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }),
});

async function requireReadable({ uri, ids }: NamedAnalysis, mcp: McpContext, serving: Serving): Promise<void> {
  await endpointCaller(mcp, serving)(getAnalysis, ids).catch((error: unknown) => {
    throw toResourceError(uri, error, { mcp, serving });
  });
}

/**
 * True if the caller may read all of the analyses. Checks each workspace once, since roles are per
 * workspace.
 */
async function mayRead(named: readonly NamedAnalysis[], { deps }: McpContext, { call }: Serving): Promise<boolean> {
  const ofWorkspaces = new Map(named.map(({ ids }) => [ids.workspace_id, ids]));
  try {
    for (const ids of ofWorkspaces.values()) await admitCall(getAnalysis, { ...ids }, call, deps);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
