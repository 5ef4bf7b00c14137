import type { ServerOptions } from "node:http";
import type { Environment } from "./config.ts";

/** Node's own limit for a whole request. */
const REQUEST_MS = 300_000;
/** What a slow line takes for a megabyte: two megabits a second. */
const MS_PER_MEGABYTE = 4000;
/** More than a proxy takes to notice that a connection was closed. */
const SPARE_MS = 5000;

/**
 * How long connections live: an unused one longer than in the proxy in front, so that it is the proxy that closes it, never we
 * while its next request is on the way; a request as long as the largest upload takes.
 */
export function connectionTimes(config: Environment): ServerOptions {
  const keepAliveTimeout = config.KEEP_ALIVE_SECONDS * 1000;
  const headersTimeout = keepAliveTimeout + SPARE_MS;
  const uploadMs = Math.max(config.ASSET_MAX_MB, config.ASSET_VIDEO_MAX_MB, config.IMPORT_MAX_MB) * MS_PER_MEGABYTE;
  return {
    keepAliveTimeout,
    headersTimeout,
    requestTimeout: Math.max(headersTimeout, REQUEST_MS + uploadMs),
  };
}
