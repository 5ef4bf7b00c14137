import { z } from "zod";
import { countEndedCollects } from "../../../db/analyses/collect-progress.ts";
import { getAnalysis } from "../../../tools/analyses/get-analysis.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { admitCall } from "../../call/invoke.ts";
import type { AnalysisIds } from "./features/analysis-page.ts";
import { endpointCaller } from "./features/call-endpoint.ts";
import { resourceRefusal, wrong } from "./features/feature-errors.ts";
import { analysisAt, isOpenPage } from "./features/resources.ts";
import type { McpContext, Serving } from "./mcp-context.ts";

/** A `subscriptions/listen` stream. */
export interface Subscription {
  /** True while the caller may read all of its analyses. */
  stands: () => Promise<boolean>;
  end: () => void;
}

/** Notifies `subscriptions/listen` streams when a collect of a subscribed analysis completes. */
export interface Subscriptions {
  /** Starts polling the analyses in a message. Throws ProtocolError, also for inaccessible ones. */
  begin(message: unknown, serving: Serving): Promise<Subscription>;
  close(): void;
}

const LOOK_MS = 1000;
const MOST_ANALYSES = 20;

/** An analysis with its address as the client wrote it. */
interface Named {
  uri: string;
  ids: AnalysisIds;
}

/** An analysis subscribed to by a stream. */
interface Watched extends Named {
  /** Number of completed collects at the last notification. */
  ended: number;
}

/**
 * Polls once a second while there are streams, because collects complete in another process. One
 * query covers all streams.
 */
export function openSubscriptions(mcp: McpContext): Subscriptions {
  const { events, deps } = mcp;
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    // After a store error, the next poll retries.
    const told = await endedOf([...watched].map(({ ids }) => ids)).catch(() => undefined);
    const uris = new Set<string>();
    for (const one of told ? watched : []) {
      const ended = told?.get(one.ids.analysis_id) ?? 0;
      if (ended > one.ended) uris.add(one.uri);
      one.ended = Math.max(ended, one.ended);
    }
    for (const uri of uris) events.publish({ kind: "resource_updated", uri });
    timer = watched.size > 0 ? later() : undefined;
  }

  function later(): NodeJS.Timeout {
    return setTimeout(() => void look(), LOOK_MS).unref();
  }

  function endedOf(analyses: readonly AnalysisIds[]): Promise<Map<string, number>> {
    const ids = [...new Set(analyses.map(({ analysis_id }) => analysis_id))];
    return deps.store.read((db) => countEndedCollects(db, ids));
  }

  return {
    async begin(message, serving) {
      const named = analysesIn(message);
      for (const one of named) await refuseUnreadable(one, mcp, serving);
      const ended = named.length > 0 ? await endedOf(named.map(({ ids }) => ids)) : new Map<string, number>();
      const own = named.map((one) => ({ ...one, ended: ended.get(one.ids.analysis_id) ?? 0 }));
      for (const one of own) watched.add(one);
      if (own.length > 0) timer ??= later();
      return {
        stands: () => mayRead(own, mcp, serving),
        end() {
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
function analysesIn(message: unknown): Named[] {
  const uris = subscribedIn(message).filter((uri) => !isOpenPage(uri));
  if (uris.length > MOST_ANALYSES) {
    throw wrong(`A stream tells of at most ${MOST_ANALYSES} resources. Open another one for the rest.`);
  }
  return uris.map((uri) => {
    const ids = analysisAt(uri);
    if (!ids)
      throw wrong("Analyses alone can be listened to. resources/templates/list says how their addresses are made.");
    return { uri, ids };
  });
}

/** Invalid messages are rejected by the SDK. */
function subscribedIn(message: unknown): string[] {
  return [...new Set(Listening.safeParse(message).data?.params.notifications.resourceSubscriptions)];
}

const Listening = z.object({
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }),
});

async function refuseUnreadable({ uri, ids }: Named, mcp: McpContext, serving: Serving): Promise<void> {
  await endpointCaller(mcp, serving)(getAnalysis, ids).catch((error: unknown) => {
    throw resourceRefusal(uri, error, { mcp, serving });
  });
}

/** Roles are per workspace, so each workspace is checked once. */
async function mayRead(named: readonly Named[], { deps }: McpContext, { call }: Serving): Promise<boolean> {
  const ofWorkspaces = new Map(named.map(({ ids }) => [ids.workspace_id, ids]));
  try {
    for (const ids of ofWorkspaces.values()) await admitCall(getAnalysis, { ...ids }, call, deps);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
