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

/** What one `subscriptions/listen` stream is told of. */
export interface Subscription {
  /** Whether its caller may still read all of it. */
  stands: () => Promise<boolean>;
  end: () => void;
}

/** Tells streams of `subscriptions/listen` when a collect of an analysis that they name has ended. */
export interface Subscriptions {
  /** Looks from now on at the analyses that a message names. Throws ProtocolError, for what its caller may not read among others. */
  begin(message: unknown, serving: Serving): Promise<Subscription>;
  close(): void;
}

const LOOK_MS = 1000;
const MOST_ANALYSES = 20;

/** An analysis, and its address in the letters in which a client gave it. */
interface Named {
  uri: string;
  ids: AnalysisIds;
}

/** One that a stream is told of. */
interface Watched extends Named {
  /** How many of its collects had ended when that was last told. */
  ended: number;
}

/**
 * Collects end in another process. So one query a second looks at all analyses that any stream names, however many streams
 * there are, and only while there is one.
 */
export function openSubscriptions(mcp: McpContext): Subscriptions {
  const { events, deps } = mcp;
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    // A store that cannot be asked at this moment is asked again.
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

/** The analyses whose addresses a message subscribes to. Pages of the documentation are taken, and change with a release only. */
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

/** What is not of the protocol's shape is the SDK's to refuse. */
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

/** Roles are of workspaces, so each of these is asked about once. */
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
